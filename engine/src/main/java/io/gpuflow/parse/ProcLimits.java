package io.gpuflow.parse;

import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code /proc/PID/limits}. */
public final class ProcLimits implements Parser<ProcLimits.Reading> {
    // Max locked memory         8388608              unlimited            bytes
    private static final Pattern ROW =
            Pattern.compile(
                    "(Max [a-z ]+?)\\s{2,}(\\d+|unlimited)\\s+(\\d+|unlimited)\\s*(\\S*)\\s*");

    /** A soft and a hard limit; −1 for unlimited. */
    public record Pair(Long soft, Long hard, String unit) {}

    /** All limits by the kernel's name for them ("Max locked memory"). */
    public record Reading(Map<String, Pair> limits, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Observed> facts = new ArrayList<>();
            Source source = Source.of(sourceName);
            Pair memlock = limits.get("Max locked memory");
            if (memlock != null) {
                facts.add(new Observed(new Limit("memlock", memlock.soft, "bytes"), source));
            }
            Pair nofile = limits.get("Max open files");
            if (nofile != null) {
                facts.add(new Observed(new Limit("nofile", nofile.soft, "files"), source));
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "proc-limits";
    }

    @Override
    public int recognises(String head) {
        return head.contains("Soft Limit") && head.contains("Max open files") ? 95 : 0;
    }

    @Override
    public Reading parse(String text) {
        Map<String, Pair> limits = new TreeMap<>();
        List<String> unparsed = new ArrayList<>();
        for (String line : Lines.of(text)) {
            Matcher m = ROW.matcher(line);
            if (m.matches()) {
                limits.put(m.group(1), new Pair(value(m.group(2)), value(m.group(3)), m.group(4)));
            } else if (!line.isBlank() && !line.startsWith("Limit ")) {
                unparsed.add(line);
            }
        }
        return new Reading(limits, limits.isEmpty() ? "no limits listed" : null, unparsed);
    }

    /** The kernel prints up to 2⁶⁴ − 1; what does not fit a long is as good as unlimited. */
    private static Long value(String text) {
        if (text.equals("unlimited") || text.length() > 18) {
            return -1L;
        }
        return Long.valueOf(text);
    }
}
