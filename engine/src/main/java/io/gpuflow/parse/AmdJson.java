package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON as amd-smi and rocm-smi print it: an array of GPUs or an object with {@code gpu_data}, after
 * any number of warning lines; values are bare, "N/A" or {@code {"value": 16, "unit": "GT/s"}}.
 */
final class AmdJson {
    private static final ObjectMapper MAPPER =
            new ObjectMapper(
                    JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(64)
                                            .maxStringLength(1 << 20)
                                            .maxDocumentLength(32L << 20)
                                            .build())
                            .build());

    private AmdJson() {}

    /** The JSON document in a text; throws when there is none. */
    static JsonNode read(String printed) throws JsonProcessingException {
        String text = String.join("\n", Lines.of(printed));
        int start = start(text);
        if (start < 0) {
            String first =
                    Lines.of(text).stream().filter(l -> !l.isBlank()).findFirst().orElse("empty");
            throw new NoJson(first.trim());
        }
        try (JsonParser parser = MAPPER.getFactory().createParser(text.substring(start))) {
            JsonNode node = MAPPER.readTree(parser);
            return node == null ? MAPPER.nullNode() : node;
        } catch (JsonProcessingException e) {
            throw e;
        } catch (java.io.IOException e) {
            throw new NoJson(e.getMessage());
        }
    }

    /** Lines before the document, such as "WARNING: User is missing the following groups". */
    static List<String> before(String printed) {
        String text = String.join("\n", Lines.of(printed));
        int start = start(text);
        return start <= 0
                ? List.of()
                : text.substring(0, start).lines().filter(l -> !l.isBlank()).limit(100).toList();
    }

    /** The objects that have a {@code gpu} number. */
    static List<JsonNode> gpus(JsonNode document) {
        JsonNode list = document.has("gpu_data") ? document.get("gpu_data") : document;
        List<JsonNode> gpus = new ArrayList<>();
        for (JsonNode entry : list.isArray() ? list : List.<JsonNode>of()) {
            if (entry.path("gpu").isInt()) {
                gpus.add(entry);
            }
        }
        return gpus;
    }

    /** A value with its unit as one text ("16 GT/s"), or null. */
    static String text(JsonNode node) {
        if (node.isObject() && node.has("value")) {
            String value = text(node.get("value"));
            return value == null ? null : (value + " " + node.path("unit").asText("")).trim();
        }
        return node.isValueNode() ? Quantity.word(node.asText(null)) : null;
    }

    /** The first of these paths (a/b/c) that has a value, as text with its unit. */
    static String at(JsonNode root, String... paths) {
        for (String path : paths) {
            JsonNode node = root;
            for (String step : path.split("/")) {
                node = node.path(step);
            }
            String found = text(node);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Where a line begins with an object, or an array of objects; −1 when none does. */
    private static int start(String text) {
        boolean lineStart = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (lineStart
                    && (c == '{' && follows(text, i, "\"}")
                            || c == '[' && follows(text, i, "{]"))) {
                return i;
            }
            lineStart = c == '\n' || (lineStart && Character.isWhitespace(c));
        }
        return -1;
    }

    private static boolean follows(String text, int i, String wanted) {
        int next = i + 1;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next < text.length() && wanted.indexOf(text.charAt(next)) >= 0;
    }

    /** There is text, but no JSON in it: its first line is the tool's complaint. */
    private static final class NoJson extends JsonProcessingException {
        private static final long serialVersionUID = 1L;

        NoJson(String message) {
            super(message);
        }
    }
}
