package io.gpuflow.parse;

import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code df -Pk}, the portable form of df. */
public final class Df implements Parser<Df.Reading> {
    // tmpfs             268435456       0 268435456       0% /dev/shm
    private static final Pattern ROW =
            Pattern.compile(
                    "(\\S.{0,500}?)\\s{1,200}(\\d{1,15})\\s+(\\d{1,15})\\s+(-?\\d{1,15})\\s+(\\d+%|-)\\s+(/.*)");

    /** One file system; sizes in bytes. */
    public record FileSystem(String device, long size, long used, long available, String mount) {}

    /** The file systems asked for. */
    public record Reading(List<FileSystem> fileSystems, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Observed> facts = new ArrayList<>();
            Source source = Source.of(sourceName);
            for (FileSystem f : fileSystems) {
                if (f.mount.equals("/dev/shm")) {
                    facts.add(new Observed(new Limit("shm_size", f.size, "bytes"), source));
                    facts.add(new Observed(new Limit("shm_free", f.available, "bytes"), source));
                }
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "df";
    }

    @Override
    public int recognises(String head) {
        boolean table = head.startsWith("Filesystem") && head.contains("Mounted on");
        return table ? 80 : head.startsWith("df: ") ? 60 : 0;
    }

    @Override
    public Reading parse(String text) {
        List<FileSystem> found = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        for (String line : Lines.of(text)) {
            Matcher m = ROW.matcher(line);
            if (m.matches()) {
                found.add(
                        new FileSystem(
                                m.group(1),
                                Long.parseLong(m.group(2)) << 10,
                                Long.parseLong(m.group(3)) << 10,
                                Long.parseLong(m.group(4)) << 10,
                                m.group(6).trim()));
            } else if (!line.isBlank() && !line.startsWith("Filesystem")) {
                unparsed.add(line);
            }
        }
        String error = null;
        if (found.isEmpty()) {
            error = unparsed.isEmpty() ? "no file system listed" : unparsed.get(0).trim();
        }
        return new Reading(found, error, unparsed);
    }
}
