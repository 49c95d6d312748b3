package io.gpuflow.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes values of the expected kind out of a JSON object that a person may have written. */
record Json(JsonNode node) {
    Json {
        if (!node.isObject()) {
            throw new IllegalArgumentException("it is not a JSON object");
        }
    }

    String text(String name, String absent) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return absent;
        }
        if (!value.isTextual()) {
            throw wrong(name, "a text");
        }
        return value.textValue();
    }

    double number(String name, double absent, double least, double most) {
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return absent;
        }
        if (!value.isNumber() || value.doubleValue() < least || value.doubleValue() > most) {
            throw wrong(name, "a number from " + (long) least + " to " + (long) most);
        }
        return value.doubleValue();
    }

    List<String> texts(String name) {
        JsonNode value = node.path(name);
        List<String> texts = new ArrayList<>();
        if (value.isMissingNode()) {
            return texts;
        }
        for (JsonNode element : value.isArray() ? value : List.<JsonNode>of()) {
            if (!element.isTextual()) {
                throw wrong(name, "a list of texts");
            }
            texts.add(element.textValue());
        }
        if (!value.isArray()) {
            throw wrong(name, "a list of texts");
        }
        return texts;
    }

    /** Names to texts; null where the JSON has null. */
    Map<String, String> map(String name) {
        JsonNode value = node.path(name);
        Map<String, String> map = new TreeMap<>();
        if (value.isMissingNode()) {
            return map;
        }
        if (!value.isObject()) {
            throw wrong(name, "an object of texts");
        }
        Iterator<Map.Entry<String, JsonNode>> fields = value.fields();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            if (!field.getValue().isTextual() && !field.getValue().isNull()) {
                throw wrong(name, "an object of texts");
            }
            map.put(field.getKey(), field.getValue().textValue());
        }
        return map;
    }

    private static IllegalArgumentException wrong(String name, String wanted) {
        return new IllegalArgumentException(name + " is not " + wanted);
    }
}
