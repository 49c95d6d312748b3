package io.gpuflow.yaml;

import io.gpuflow.expr.Type;
import java.util.regex.Pattern;

/**
 * What a plain scalar means in the core schema of YAML 1.2: {@code on}, {@code yes}, dates, {@code
 * 10:30} and {@code 1_000} are text. Numbers that other readers take differently, such as {@code
 * 0644}, are text too.
 */
final class Core {
    private static final Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
    private static final Pattern BASED = Pattern.compile("0o[0-7]{1,21}|0x[0-9a-fA-F]{1,15}");
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(\\.[0-9]+|(0|[1-9][0-9]*)(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final int LONGEST = 40;

    private Core() {}

    /** null, Boolean, Long, Double or String. */
    static Object value(YamlNode.Scalar scalar) {
        String text = scalar.value();
        if (!scalar.plain() || text.length() > LONGEST) {
            return text;
        }
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> null;
            case "true", "True", "TRUE" -> true;
            case "false", "False", "FALSE" -> false;
            case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF" -> Double.POSITIVE_INFINITY;
            case "-.inf", "-.Inf", "-.INF" -> Double.NEGATIVE_INFINITY;
            case ".nan", ".NaN", ".NAN" -> Double.NaN;
            default -> number(text);
        };
    }

    static Type type(YamlNode.Scalar scalar) {
        Object value = value(scalar);
        if (value == null) {
            return Type.NULL;
        }
        if (value instanceof Boolean) {
            return Type.BOOL;
        }
        if (value instanceof String) {
            return Type.TEXT;
        }
        return value instanceof Long ? Type.INT : Type.DOUBLE;
    }

    private static Object number(String text) {
        char first = text.charAt(0);
        if ((first < '0' || first > '9') && "+-.".indexOf(first) < 0) {
            return text;
        }
        try {
            if (WHOLE.matcher(text).matches()) {
                return Long.parseLong(text);
            }
            if (BASED.matcher(text).matches()) {
                return Long.parseLong(text.substring(2), text.charAt(1) == 'o' ? 8 : 16);
            }
        } catch (NumberFormatException e) {
            // More digits than a number can hold: an identifier, so it stays text.
            return text;
        }
        return NUMBER.matcher(text).matches() ? (Object) Double.valueOf(text) : text;
    }
}
