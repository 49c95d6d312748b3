package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON in a tool's output as plain maps, lists, strings, numbers and booleans. Text before and
 * after it is allowed, and a document that ends early gives what was there.
 *
 * @param root null when the text holds no JSON
 * @param whole false when the document ends early or is damaged
 * @param line where it begins, from 1
 */
record JsonTree(Object root, boolean whole, int line) {
    private static final int MAX_DEPTH = 64;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxStringLength(1 << 20)
                                    .build())
                    .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build();

    private static final JsonTree NONE = new JsonTree(null, false, 0);

    /** True when the first thing on some line is the beginning of a JSON object or array. */
    static boolean isIn(List<String> lines) {
        for (String line : lines) {
            String text = line.stripLeading();
            if (text.startsWith("{") || text.startsWith("[")) {
                return true;
            }
        }
        return false;
    }

    /** The first object or array that begins a line and has something in it. */
    static JsonTree in(List<String> lines) {
        String text = String.join("\n", lines);
        int tries = 0;
        for (int at = start(text, 0); at >= 0 && tries < 8; at = start(text, at + 1)) {
            tries++;
            JsonTree tree = from(text, at);
            if (tree.root instanceof Map<?, ?> map && !map.isEmpty()
                    || tree.root instanceof List<?> list && isStructured(list)) {
                return tree;
            }
        }
        return NONE;
    }

    private static boolean isStructured(List<?> list) {
        return !list.isEmpty() && list.get(0) instanceof Map<?, ?>;
    }

    /** The next line that begins with a bracket or brace, or −1. */
    private static int start(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c == '{' || c == '[') && beginsLine(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean beginsLine(String text, int at) {
        int i = at - 1;
        while (i >= 0
                && (text.charAt(i) == ' '
                        || text.charAt(i) == '\t'
                        || text.charAt(i) == '\ufeff')) {
            i--;
        }
        return i < 0 || text.charAt(i) == '\n' || text.charAt(i) == '\r';
    }

    private static JsonTree from(String text, int at) {
        int line = 1;
        for (int i = 0; i < at; i++) {
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        Deque<Object> open = new ArrayDeque<>();
        Deque<String> names = new ArrayDeque<>();
        Object root = null;
        try (JsonParser json = FACTORY.createParser(text.substring(at))) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    names.push(json.currentName());
                } else if (token.isStructEnd()) {
                    open.pop();
                    if (open.isEmpty()) {
                        return new JsonTree(root, true, line);
                    }
                } else {
                    Object value = value(json, token);
                    root = root == null ? value : root;
                    put(open.peek(), names, value);
                    if (token.isStructStart()) {
                        open.push(value);
                    }
                }
            }
        } catch (IOException endsEarly) {
            return new JsonTree(root, false, line);
        }
        return new JsonTree(root, false, line);
    }

    private static void put(Object parent, Deque<String> names, Object value) {
        if (parent instanceof Node map) {
            map.put(names.pop(), value);
        } else if (parent instanceof Items list) {
            list.add(value);
        }
    }

    private static Object value(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> new Node();
            case START_ARRAY -> new Items();
            case VALUE_NUMBER_INT ->
                    json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? (Object) json.getDoubleValue()
                            : (Object) json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }

    private static final class Node extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    private static final class Items extends ArrayList<Object> {
        private static final long serialVersionUID = 1L;
    }

    /** The value of a name in an object, or null. */
    static Object get(Object node, String name) {
        return node instanceof Map<?, ?> map ? map.get(name) : null;
    }

    /** The elements of an array, or none. */
    static List<?> list(Object node) {
        return node instanceof List<?> list ? list : List.of();
    }

    /** A string or number as text, or null. */
    static String text(Object value) {
        if (value == null || value instanceof Map<?, ?> || value instanceof List<?>) {
            return null;
        }
        return value.toString().strip();
    }

    /** A number, or a string that is one, or null. */
    static Double number(Object value) {
        return value instanceof Number number
                ? Double.valueOf(number.doubleValue())
                : Numbers.real(text(value));
    }

    static Long integer(Object value) {
        return value instanceof Long number ? number : Numbers.integer(text(value));
    }
}
