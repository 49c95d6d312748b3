package io.gpuflow.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.gpuflow.expr.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Takes the outputs that {@code extract:} names out of what a tool printed. */
final class Extracted {
    private Extracted() {}

    /**
     * Fills in each output; one that is not in the text becomes unknown.
     *
     * @return why nothing at all could be taken, or null
     */
    static String into(Map<String, Object> out, Extract extract, String text) {
        String unread = null;
        if (!extract.json().isEmpty()) {
            unread = json(out, extract, text);
        }
        for (Pattern pattern : extract.patterns()) {
            pattern(out, extract, pattern, text);
        }
        boolean none = out.values().stream().allMatch(v -> v instanceof Value.Unknown);
        if (unread == null && none && !out.isEmpty()) {
            unread = ((Value.Unknown) out.values().iterator().next()).why();
        }
        return unread;
    }

    private static String json(Map<String, Object> out, Extract extract, String text) {
        JsonNode document = null;
        String wrong = null;
        try {
            document = RecordJson.parse(text);
        } catch (JsonProcessingException e) {
            wrong = "not JSON: " + e.getOriginalMessage();
        }
        for (Map.Entry<String, String> pointer : extract.json().entrySet()) {
            JsonNode value = document == null ? null : document.at(pointer.getValue());
            boolean there = value != null && !value.isMissingNode();
            String why = wrong != null ? wrong : "its output has nothing at " + pointer.getValue();
            out.put(pointer.getKey(), there ? RecordJson.plain(value) : new Value.Unknown(why));
        }
        return wrong;
    }

    private static void pattern(
            Map<String, Object> out, Extract extract, Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        boolean found = matcher.find();
        List<String> names = new ArrayList<>(pattern.namedGroups().keySet());
        names.sort(Comparator.comparing(pattern.namedGroups()::get));
        for (String name : names) {
            String value = found ? matcher.group(name) : null;
            Object typed =
                    value == null
                            ? new Value.Unknown("no line of its output matches " + pattern)
                            : typed(name, extract.types().get(name), value);
            out.put(name, typed);
        }
    }

    private static Object typed(String name, Extract.ValueType type, String text) {
        String value = text.strip();
        try {
            return switch (type == null ? Extract.ValueType.TEXT : type) {
                case TEXT -> text;
                case INT -> Long.parseLong(value);
                case DOUBLE -> Double.parseDouble(value);
                case BOOL -> bool(name, value);
            };
        } catch (NumberFormatException e) {
            return new Value.Unknown(name + " is \"" + value + "\", not " + type.word());
        }
    }

    private static Object bool(String name, String value) {
        return switch (value.toLowerCase(java.util.Locale.ROOT)) {
            case "true", "yes", "on", "1", "ok" -> true;
            case "false", "no", "off", "0" -> false;
            default -> new Value.Unknown(name + " is \"" + value + "\", neither true nor false");
        };
    }
}
