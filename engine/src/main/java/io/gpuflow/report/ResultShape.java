package io.gpuflow.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One object of a result as JSON Schema (draft 7): its keys, what they hold and mean. No other key
 * is allowed, so that a test sees at once when a printer and its schema part.
 */
final class ResultShape {
    static final Map<String, Object> TEXT = Map.of("type", "string");
    static final Map<String, Object> NUMBER = Map.of("type", "number");
    static final Map<String, Object> WHOLE = Map.of("type", "integer");
    static final Map<String, Object> FLAG = Map.of("type", "boolean");
    static final Map<String, Object> TEXTS = listOf(TEXT);

    private final Map<String, Object> keys = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();

    /** A key that is always there. */
    ResultShape key(String name, Map<String, Object> schema, String help) {
        required.add(name);
        return mayHave(name, schema, help);
    }

    /** A key that is left out where it does not apply. */
    ResultShape mayHave(String name, Map<String, Object> schema, String help) {
        Map<String, Object> described = new LinkedHashMap<>(schema);
        described.put("description", help);
        keys.put(name, described);
        return this;
    }

    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("required", List.copyOf(required));
        schema.put("properties", keys);
        schema.put("additionalProperties", false);
        return schema;
    }

    /** The same, or null where it is not known or does not apply. */
    static Map<String, Object> orNull(Map<String, Object> schema) {
        Map<String, Object> either = new LinkedHashMap<>(schema);
        either.put("type", List.of(schema.get("type"), "null"));
        return either;
    }

    static Map<String, Object> listOf(Map<String, Object> item) {
        return Map.of("type", "array", "items", item);
    }

    /** An object with names that are not known beforehand. */
    static Map<String, Object> mapOf(Map<String, Object> value) {
        return Map.of("type", "object", "additionalProperties", value);
    }

    static Map<String, Object> oneOf(String... words) {
        return Map.of("type", "string", "enum", List.of(words));
    }
}
