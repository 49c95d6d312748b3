package io.gpuflow.parse;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads an NCCL configuration file: a {@code NAME=value} a line, {@code #} starts a comment. */
public final class NcclConf implements Parser<NcclConf.Reading> {
    /** The settings, by name; when a name occurs twice the first holds, as NCCL does it. */
    public record Reading(Map<String, String> settings, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Source source = Source.of(sourceName);
            List<Observed> facts = new ArrayList<>();
            settings.forEach(
                    (name, value) ->
                            facts.add(new Observed(new EnvVar(name, value, sourceName), source)));
            return facts;
        }
    }

    @Override
    public String kind() {
        return "nccl-conf";
    }

    @Override
    public int recognises(String head) {
        boolean all =
                head.lines()
                        .map(String::strip)
                        .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                        .allMatch(l -> l.matches("(NCCL|RCCL)_[A-Z0-9_]+ *=.*"));
        return all && (head.contains("NCCL_") || head.contains("RCCL_")) ? 80 : 0;
    }

    @Override
    public Reading parse(String text) {
        Map<String, String> settings = new TreeMap<>();
        List<String> unparsed = new ArrayList<>();
        for (String line : Lines.of(text)) {
            String bare = line.strip();
            int equals = bare.indexOf('=');
            if (bare.isEmpty() || bare.startsWith("#")) {
                continue;
            }
            if (equals > 0) {
                String name = bare.substring(0, equals).strip();
                settings.putIfAbsent(name, bare.substring(equals + 1).strip());
            } else {
                unparsed.add(line);
            }
        }
        boolean nothing = settings.isEmpty();
        return new Reading(settings, nothing ? "no setting" : null, unparsed);
    }
}
