package io.gpuflow.report;

import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A verdict as plain values for JSON: the finding of {@code diagnose --json} and {@code run
 * --json}.
 */
public final class VerdictValues {
    private VerdictValues() {}

    public static Map<String, Object> of(Verdict verdict) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", verdict.id());
        values.put("cause", verdict.cause());
        values.put("role", word(verdict.role()));
        values.put("level", word(verdict.level()));
        values.put("under", verdict.under());
        values.put("confidence", verdict.confidence());
        values.put("ranks", verdict.ranks());
        values.put("hosts", verdict.hosts());
        values.put("says", verdict.says());
        values.put("why", verdict.why());
        values.put("fix", verdict.fixes().stream().map(VerdictValues::fix).toList());
        values.put("evidence", verdict.evidence().stream().map(VerdictValues::source).toList());
        values.put("rule", verdict.area() + "/" + verdict.id());
        return values;
    }

    private static Map<String, Object> fix(Verdict.Fix fix) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("kind", fix.kind());
        values.put("who", fix.who());
        values.put("text", fix.text());
        values.put("env", fix.env() == null ? Map.of() : fix.env());
        values.put("cost", fix.cost());
        return values;
    }

    private static Map<String, Object> source(Source source) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("file", source.text());
        values.put("line", source.line() > 0 ? source.line() : null);
        values.put("text", source.excerpt());
        return values;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** All of them, in their order. */
    public static List<Map<String, Object>> of(List<Verdict> verdicts) {
        return verdicts.stream().map(VerdictValues::of).toList();
    }
}
