package io.gpuflow.report;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Facts as plain values for JSON: {@code {"fact":"Gpu","is":{…},"from":{…}}}, keys in snake_case;
 * what is not known is null.
 */
public final class FactValues {
    private FactValues() {}

    public static Map<String, Object> of(Observed observed) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("fact", observed.fact().getClass().getSimpleName());
        values.put("is", components(observed.fact()));
        values.put("from", source(observed.source()));
        return values;
    }

    private static Map<String, Object> components(Fact fact) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent component : fact.getClass().getRecordComponents()) {
            values.put(snake(component.getName()), plain(value(fact, component)));
        }
        return values;
    }

    private static Object value(Fact fact, RecordComponent component) {
        try {
            return component.getAccessor().invoke(fact);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(fact.getClass() + "." + component, impossible);
        }
    }

    /** Enums and nested facts as words; numbers, flags, texts, lists and maps as they are. */
    private static Object plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(FactValues::plain).toList();
        }
        boolean simple =
                value == null
                        || value instanceof Number
                        || value instanceof Boolean
                        || value instanceof Map;
        return simple ? value : value.toString();
    }

    private static Map<String, Object> source(Source source) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("text", source.text());
        if (source.line() > 0) {
            values.put("line", source.line());
            values.put("excerpt", source.excerpt());
        }
        return values;
    }

    private static String snake(String name) {
        StringBuilder snake = new StringBuilder();
        for (char c : name.toCharArray()) {
            boolean upper = c >= 'A' && c <= 'Z';
            snake.append(upper ? "_" + (char) (c + 32) : String.valueOf(c));
        }
        return snake.toString();
    }
}
