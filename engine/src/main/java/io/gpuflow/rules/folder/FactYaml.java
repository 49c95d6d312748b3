package io.gpuflow.rules.folder;

import io.gpuflow.facts.Fact;
import io.gpuflow.rules.FactFields;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes a fact as cases.yaml states it: {@code gpu_health: { gpu: 0, temperature_c: 35 }}. */
public final class FactYaml {
    private FactYaml() {}

    /** The fact on one line; components that are not known are left out. */
    public static String line(Fact fact) {
        List<String> parts = new ArrayList<>();
        for (RecordComponent c : fact.getClass().getRecordComponents()) {
            Object value = FactFields.get(fact, c.getName());
            if (value != null) {
                parts.add(FactFields.snake(c.getName()) + ": " + value(value));
            }
        }
        String name = FactFields.snake(fact.getClass().getSimpleName());
        return name + ": " + (parts.isEmpty() ? "{}" : "{ " + String.join(", ", parts) + " }");
    }

    private static String value(Object value) {
        if (value instanceof Collection<?> list) {
            return "[" + String.join(", ", list.stream().map(FactYaml::value).toList()) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((k, v) -> sorted.put(text(String.valueOf(k)), value(v)));
            List<String> each = new ArrayList<>();
            sorted.forEach((k, v) -> each.add(k + ": " + v));
            return each.isEmpty() ? "{}" : "{ " + String.join(", ", each) + " }";
        }
        if (value instanceof Double d && d == Math.rint(d) && Math.abs(d) < 1e15) {
            return Long.toString(d.longValue());
        }
        boolean plain = value == null || value instanceof Number || value instanceof Boolean;
        return plain ? String.valueOf(value) : text(value.toString());
    }

    /** Bare where nothing else could be meant. */
    static String text(String text) {
        boolean bare =
                text.matches("[A-Za-z][A-Za-z0-9_/-]*( [A-Za-z0-9_/-]+)*")
                        && !text.matches("(?i)true|false|null|yes|no|on|off|y|n");
        if (bare) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f) {
                        quoted.append(String.format("\\x%02x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
