package io.gpuflow.expr;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Plain values: how Java's types map to them, equality, order and text. */
final class Plain {
    private Plain() {}

    /** Narrow number types, paths and constants become Long, Double and text. */
    static Object of(Object value) {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float f) {
            return f.doubleValue();
        }
        if (value instanceof Path || value instanceof Enum<?>) {
            return value.toString();
        }
        return value;
    }

    static String typeOf(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Boolean) {
            return "true or false";
        }
        if (value instanceof Long) {
            return "an int";
        }
        if (value instanceof Double) {
            return "a double";
        }
        if (value instanceof String) {
            return "text";
        }
        if (value instanceof Duration) {
            return "a duration";
        }
        if (value instanceof List<?>) {
            return "a list";
        }
        if (value instanceof Map<?, ?>) {
            return "a map";
        }
        return "a value of an unexpected kind";
    }

    /** Boolean.TRUE, Boolean.FALSE, or the Unknown that keeps it from being told. */
    static Object equal(Object left, Object right) {
        left = of(left);
        right = of(right);
        if (left instanceof Value.Unknown) {
            return left;
        }
        if (right instanceof Value.Unknown) {
            return right;
        }
        if (left instanceof Number a && right instanceof Number b) {
            return isNumber(a) && isNumber(b) && compareNumbers(a, b) == 0;
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            return a.size() == b.size() ? equalItems(a.iterator(), b.iterator()) : Boolean.FALSE;
        }
        if (left instanceof Map<?, ?> a && right instanceof Map<?, ?> b) {
            return equalMaps(a, b);
        }
        return left == null ? right == null : left.equals(right);
    }

    private static Object equalItems(Iterator<?> left, Iterator<?> right) {
        Object result = Boolean.TRUE;
        while (left.hasNext()) {
            Object same = equal(left.next(), right.next());
            if (Boolean.FALSE.equals(same)) {
                return same;
            }
            if (same instanceof Value.Unknown) {
                result = same;
            }
        }
        return result;
    }

    private static Object equalMaps(Map<?, ?> left, Map<?, ?> right) {
        if (!left.keySet().equals(right.keySet())) {
            return Boolean.FALSE;
        }
        Iterator<?> keys = left.keySet().iterator();
        Object result = Boolean.TRUE;
        while (keys.hasNext()) {
            Object key = keys.next();
            Object same = equal(left.get(key), right.get(key));
            if (Boolean.FALSE.equals(same)) {
                return same;
            }
            if (same instanceof Value.Unknown) {
                result = same;
            }
        }
        return result;
    }

    private static boolean isNumber(Number n) {
        return !(n instanceof Double d) || !d.isNaN();
    }

    /** Order of two numbers, neither of them NaN, without loss between long and double. */
    static int compareNumbers(Number left, Number right) {
        if (left instanceof Long a && right instanceof Long b) {
            return Long.compare(a, b);
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a < b ? -1 : a > b ? 1 : 0;
        }
        if (left instanceof Long a) {
            return compare(a, right.doubleValue());
        }
        return -compare(right.longValue(), left.doubleValue());
    }

    private static int compare(long whole, double number) {
        if (number >= 0x1p63) {
            return -1;
        }
        if (number < -0x1p63) {
            return 1;
        }
        int order = Long.compare(whole, (long) number);
        return order != 0 ? order : Double.compare(0.0, number - (long) number + 0.0);
    }

    /** Order of two texts by code point, as CEL has it (Java's own order is by UTF-16 unit). */
    static int compareTexts(String left, String right) {
        int at = 0;
        while (at < left.length() && at < right.length()) {
            int a = left.codePointAt(at);
            int b = right.codePointAt(at);
            if (a != b) {
                return Integer.compare(a, b);
            }
            at += Character.charCount(a);
        }
        return Integer.compare(left.length(), right.length());
    }

    /**
     * A value as people read it inside a sentence, an argument or a variable: whole doubles without
     * ".0", the items of a list joined by commas.
     */
    static String display(Object value) {
        value = of(value);
        if (value instanceof Double d && d == Math.rint(d) && Math.abs(d) < 1e15) {
            return Long.toString(d.longValue());
        }
        if (value instanceof Duration d) {
            return Durations.print(d);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Plain::display).collect(Collectors.joining(","));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> e.getKey() + "=" + display(e.getValue()))
                    .collect(Collectors.joining(","));
        }
        if (value instanceof Value.Unknown) {
            return "unknown";
        }
        return String.valueOf(value);
    }
}
