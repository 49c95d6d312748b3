package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * As much of JSON Schema as our schemas use; any other keyword is an error, so that none is taken
 * for checked that is not.
 */
public final class SchemaCheck {
    private static final Set<String> SILENT = Set.of("description", "title", "$schema");

    private SchemaCheck() {}

    /** What does not fit, as JSON pointer and keyword; empty when all does. */
    public static List<String> problems(Map<?, ?> schema, Object value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "", problems);
        return problems;
    }

    private static void check(Map<?, ?> schema, Object value, String at, List<String> problems) {
        for (Map.Entry<?, ?> rule : schema.entrySet()) {
            String keyword = (String) rule.getKey();
            if (!SILENT.contains(keyword)
                    && !holds(schema, keyword, rule.getValue(), value, at, problems)) {
                problems.add(at + " " + keyword);
            }
        }
    }

    private static boolean holds(
            Map<?, ?> schema,
            String keyword,
            Object rule,
            Object value,
            String at,
            List<String> problems) {
        return switch (keyword) {
            case "type" ->
                    rule instanceof List<?> types
                            ? types.stream().anyMatch(t -> isType((String) t, value))
                            : isType((String) rule, value);
            case "const" -> rule.toString().equals(String.valueOf(value));
            case "enum" -> ((List<?>) rule).contains(value);
            case "pattern" ->
                    !(value instanceof String s)
                            || Pattern.compile((String) rule).matcher(s).find();
            case "minimum" -> !(value instanceof Number n) || n.doubleValue() >= number(rule);
            case "maximum" -> !(value instanceof Number n) || n.doubleValue() <= number(rule);
            case "minItems" -> !(value instanceof List<?> l) || l.size() >= number(rule);
            case "maxItems" -> !(value instanceof List<?> l) || l.size() <= number(rule);
            case "minProperties" -> !(value instanceof Map<?, ?> m) || m.size() >= number(rule);
            case "maxProperties" -> !(value instanceof Map<?, ?> m) || m.size() <= number(rule);
            case "anyOf" -> matching(rule, value) > 0;
            case "oneOf" -> matching(rule, value) == 1;
            case "allOf" -> matching(rule, value) == ((List<?>) rule).size();
            case "required" ->
                    !(value instanceof Map<?, ?> map) || map.keySet().containsAll((List<?>) rule);
            case "if" ->
                    !problems((Map<?, ?>) rule, value).isEmpty()
                            || problems((Map<?, ?>) schema.get("then"), value).isEmpty();
            case "then" -> true;
            case "items" -> {
                if (value instanceof List<?> list) {
                    int i = 0;
                    for (Object item : list) {
                        check((Map<?, ?>) rule, item, at + "/" + i++, problems);
                    }
                }
                yield true;
            }
            case "properties" -> {
                if (value instanceof Map<?, ?> map) {
                    ((Map<?, ?>) rule)
                            .forEach(
                                    (key, one) -> {
                                        if (map.containsKey(key)) {
                                            check(
                                                    (Map<?, ?>) one,
                                                    map.get(key),
                                                    at + "/" + key,
                                                    problems);
                                        }
                                    });
                }
                yield true;
            }
            case "additionalProperties" -> additional(schema, rule, value, at, problems);
            case "propertyNames" ->
                    !(value instanceof Map<?, ?> map)
                            || map.keySet().stream()
                                    .allMatch(k -> problems((Map<?, ?>) rule, k).isEmpty());
            case "dependencies" ->
                    !(value instanceof Map<?, ?> map)
                            || ((Map<?, ?>) rule)
                                    .entrySet().stream()
                                            .allMatch(
                                                    d ->
                                                            !map.containsKey(d.getKey())
                                                                    || problems(
                                                                                    (Map<?, ?>)
                                                                                            d
                                                                                                    .getValue(),
                                                                                    map)
                                                                            .isEmpty());
            case "format" -> true; // says how a text is meant; editors need not check it
            default -> throw new IllegalArgumentException("not checked here: " + keyword);
        };
    }

    private static boolean additional(
            Map<?, ?> schema, Object rule, Object value, String at, List<String> problems) {
        if (!(value instanceof Map<?, ?> map)) {
            return true;
        }
        Map<?, ?> known = schema.get("properties") instanceof Map<?, ?> m ? m : Map.of();
        boolean fine = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!known.containsKey(entry.getKey())) {
                fine &= !Boolean.FALSE.equals(rule);
                if (rule instanceof Map<?, ?> one) {
                    check(one, entry.getValue(), at + "/" + entry.getKey(), problems);
                }
            }
        }
        return fine;
    }

    private static long matching(Object schemas, Object value) {
        return ((List<?>) schemas)
                .stream().filter(s -> problems((Map<?, ?>) s, value).isEmpty()).count();
    }

    private static double number(Object rule) {
        return ((Number) rule).doubleValue();
    }

    private static boolean isType(String type, Object value) {
        return switch (type) {
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Long;
            case "number" -> value instanceof Number;
            case "array" -> value instanceof List;
            case "object" -> value instanceof Map;
            case "null" -> value == null;
            default -> throw new IllegalArgumentException(type);
        };
    }
}
