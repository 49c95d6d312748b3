package io.gpuflow.flow;

import io.gpuflow.expr.Value;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.OwnValue;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A parser that a site describes by {@code extract:} for a tool of its own. */
public record OwnParser(String kind, Extract extract) implements Parser<OwnParser.Values> {
    /** What was taken out. */
    public record Values(String kind, Map<String, Object> out, String error) implements Report {
        @Override
        public List<String> unparsed() {
            return List.of();
        }

        @Override
        public Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            out.forEach((name, v) -> values.put(name, v instanceof Value.Unknown ? null : v));
            return values;
        }

        @Override
        public List<Observed> facts(String sourceName) {
            return OwnParser.facts(kind, out, sourceName);
        }
    }

    /** It is only used where a workflow names it. */
    @Override
    public int recognises(String head) {
        return 0;
    }

    @Override
    public Values parse(String text) {
        Map<String, Object> out = new LinkedHashMap<>();
        String error = Extracted.into(out, extract, text);
        return new Values(kind, out, error);
    }

    /** Extracted values for the rules; what could not be taken out is unknown. */
    static List<Observed> facts(String from, Map<String, Object> out, String sourceName) {
        List<Observed> facts = new ArrayList<>();
        Source source = Source.of(sourceName);
        out.forEach(
                (name, value) -> {
                    if (value instanceof Value.Unknown u) {
                        OwnValue fact = new OwnValue(from, name, null, null);
                        Unknown why = new Unknown("OwnValue.number", name + ": " + u.why());
                        facts.add(new Observed(fact, source));
                        facts.add(new Observed(why, source));
                    } else if (value != null) {
                        OwnValue fact =
                                new OwnValue(from, name, number(value), String.valueOf(value));
                        facts.add(new Observed(fact, source));
                    }
                });
        return facts;
    }

    private static Double number(Object value) {
        if (value instanceof Boolean b) {
            return b ? 1.0 : 0.0;
        }
        return value instanceof Number n ? (Double) n.doubleValue() : null;
    }
}
