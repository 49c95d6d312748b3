package io.gpuflow.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Values that must not be shown or written: those of inputs with {@code secret: true}. Each line of
 * a value is masked by itself, because tools print them line by line.
 */
public final class Secrets {
    public static final Secrets NONE = new Secrets(List.of());

    private static final String MASK = "***";

    /** Shorter ones are masked only where they stand alone: "1" is in every text. */
    private static final int SHORT = 4;

    private final List<String> values;
    private final Collection<String> whole;

    public Secrets(Collection<String> values) {
        this.whole = List.copyOf(values);
        List<String> lines = new ArrayList<>();
        for (String value : values) {
            lines.add(value);
            value.lines().map(String::strip).forEach(lines::add);
        }
        lines.removeIf(String::isEmpty);
        lines.sort(Comparator.comparingInt(String::length).reversed());
        this.values = List.copyOf(lines);
    }

    /** The values as they were given. */
    Collection<String> values() {
        return whole;
    }

    public String mask(String text) {
        if (text == null || values.isEmpty()) {
            return text;
        }
        String masked = text;
        for (String value : values) {
            if (masked.equals(value)) {
                return MASK;
            }
            if (value.length() >= SHORT) {
                masked = masked.replace(value, MASK);
            }
        }
        return masked;
    }

    /** Masks the texts in a tree, in place where it can. */
    public JsonNode mask(JsonNode tree) {
        if (values.isEmpty()) {
            return tree;
        }
        if (tree instanceof ObjectNode object) {
            object.properties().forEach(field -> field.setValue(mask(field.getValue())));
        } else if (tree instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, mask(array.get(i)));
            }
        } else if (tree.isTextual()) {
            return TextNode.valueOf(mask(tree.textValue()));
        }
        return tree;
    }
}
