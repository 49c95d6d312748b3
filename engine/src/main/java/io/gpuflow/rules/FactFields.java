package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Reads components of fact records by name, and writes a fact in one fixed form. */
public final class FactFields {
    private FactFields() {}

    /** The component's value; null when it is not known or there is no such component. */
    public static Object get(Fact fact, String component) {
        for (RecordComponent c : components(fact)) {
            if (c.getName().equals(component)) {
                return value(fact, c);
            }
        }
        return null;
    }

    /** The first component's value: the name, for records that hold many kinds of things. */
    public static Object first(Fact fact) {
        RecordComponent[] components = components(fact);
        return components.length == 0 ? null : value(fact, components[0]);
    }

    /**
     * The fact as text, the same on every run: {@code PcieLink gpu 3, width now 8}. Components that
     * are not known are left out.
     */
    public static String text(Fact fact) {
        StringBuilder text = new StringBuilder(fact.getClass().getSimpleName());
        String separator = " ";
        for (RecordComponent c : components(fact)) {
            Object value = value(fact, c);
            if (value != null) {
                text.append(separator).append(snake(c.getName())).append('=').append(plain(value));
                separator = ", ";
            }
        }
        return text.toString();
    }

    /** camelCase to the snake_case that YAML and JSON use. */
    public static String snake(String name) {
        StringBuilder out = new StringBuilder();
        for (char c : name.toCharArray()) {
            if (Character.isUpperCase(c) && !out.isEmpty()) {
                out.append('_');
            }
            out.append(Character.toLowerCase(c));
        }
        return out.toString();
    }

    private static String plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((k, v) -> sorted.put(String.valueOf(k), String.valueOf(v)));
            return sorted.toString();
        }
        if (value instanceof Collection<?> || value instanceof Number) {
            return value.toString();
        }
        String text = value.toString();
        return text.isEmpty() || text.indexOf(' ') >= 0 || text.indexOf(',') >= 0
                ? '"' + text + '"'
                : text;
    }

    /** Java makes them anew at each call, which took a quarter of a small log's judgement. */
    private static final ClassValue<RecordComponent[]> COMPONENTS =
            new ClassValue<>() {
                @Override
                protected RecordComponent[] computeValue(Class<?> type) {
                    RecordComponent[] components = type.getRecordComponents();
                    return components == null ? new RecordComponent[0] : components;
                }
            };

    private static RecordComponent[] components(Fact fact) {
        return COMPONENTS.get(fact.getClass());
    }

    private static Object value(Fact fact, RecordComponent component) {
        try {
            return component.getAccessor().invoke(fact);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}
