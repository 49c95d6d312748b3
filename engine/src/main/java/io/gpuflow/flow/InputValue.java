package io.gpuflow.flow;

import io.gpuflow.expr.Durations;
import java.util.ArrayList;
import java.util.List;

/** Values of inputs, as they are typed on the command line or stand in the file. */
public final class InputValue {
    private InputValue() {}

    /** The value as a plain one for expressions, or null when the text is none of the type. */
    public static Object parse(Input.Type type, String text) {
        return switch (type) {
            case TEXT -> text;
            case FILE -> text.isEmpty() ? null : text;
            case INT -> whole(text);
            case NUMBER -> number(text);
            case FLAG -> text.equals("true") ? (Object) true : text.equals("false") ? false : null;
            case LIST -> list(text);
            case DURATION -> Durations.parse(text);
        };
    }

    /** What is expected, for messages. */
    public static String words(Input.Type type) {
        return switch (type) {
            case TEXT -> "text";
            case FILE -> "the name of a file";
            case INT -> "a whole number";
            case NUMBER -> "a number";
            case FLAG -> "true or false";
            case LIST -> "a list";
            case DURATION -> "a duration such as 90s or 5m";
        };
    }

    private static Long whole(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Double number(String text) {
        return text.matches("[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
                ? Double.valueOf(text)
                : null;
    }

    /** a,b or [a, b], as YAML writes it. */
    private static List<Object> list(String text) {
        List<Object> items = new ArrayList<>();
        String bare = text.strip();
        if (bare.startsWith("[") && bare.endsWith("]")) {
            bare = bare.substring(1, bare.length() - 1).strip();
        }
        for (String item : bare.isEmpty() ? new String[0] : bare.split(",", -1)) {
            items.add(item.strip());
        }
        return items;
    }
}
