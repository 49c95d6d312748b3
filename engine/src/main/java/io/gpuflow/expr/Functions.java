package io.gpuflow.expr;

import com.google.re2j.PatternSyntaxException;
import io.gpuflow.expr.Value.Unknown;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the functions do. */
final class Functions {
    private Functions() {}

    static Object call(Function function, List<?> arguments) {
        Object first = arguments.get(0);
        Object second = arguments.size() > 1 ? arguments.get(1) : null;
        Object result =
                switch (function) {
                    case SIZE -> size(first);
                    case INT -> toInt(first);
                    case DOUBLE -> toDouble(first);
                    case STRING -> toText(first);
                    case DURATION -> toDuration(first);
                    default ->
                            first instanceof String text && second instanceof String other
                                    ? text(function, text, other)
                                    : null;
                };
        return result != null
                ? result
                : new Unknown(function.word + " can't be asked of " + Plain.typeOf(first));
    }

    private static Object text(Function function, String text, String other) {
        return switch (function) {
            case STARTS_WITH -> text.startsWith(other);
            case ENDS_WITH -> text.endsWith(other);
            case CONTAINS -> text.contains(other);
            default -> matches(text, other);
        };
    }

    private static Object matches(String text, String pattern) {
        try {
            return Patterns.compile(pattern).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return new Unknown(Patterns.problem(e));
        }
    }

    static Object in(Object item, Object container) {
        if (container instanceof Map<?, ?> map) {
            return item instanceof String && map.containsKey(item);
        }
        if (!(container instanceof List<?> list)) {
            return new Unknown("in needs a list, not " + Plain.typeOf(container));
        }
        Object result = Boolean.FALSE;
        for (Object candidate : list) {
            Object same = Plain.equal(item, candidate);
            if (Boolean.TRUE.equals(same)) {
                return same;
            }
            if (same instanceof Unknown) {
                result = same;
            }
        }
        return result;
    }

    private static Object size(Object value) {
        if (value instanceof String s) {
            return (long) s.codePointCount(0, s.length());
        }
        if (value instanceof List<?> list) {
            return (long) list.size();
        }
        return value instanceof Map<?, ?> map ? (Object) (long) map.size() : null;
    }

    private static Object toInt(Object value) {
        if (value instanceof Double d) {
            boolean fits = d > -0x1p63 && d < 0x1p63;
            return fits ? (Object) d.longValue() : new Unknown(d + " is too large for an int");
        }
        if (value instanceof String s) {
            try {
                return Long.parseLong(s);
            } catch (NumberFormatException e) {
                return new Unknown("\"" + shown(s) + "\" is not an int");
            }
        }
        return value instanceof Long ? value : null;
    }

    private static Object toDouble(Object value) {
        if (value instanceof Long n) {
            return n.doubleValue();
        }
        if (value instanceof String s) {
            try {
                // Java alone would take "1d" and "0x1p3" for numbers too.
                return new BigDecimal(s).doubleValue();
            } catch (NumberFormatException e) {
                return new Unknown("\"" + shown(s) + "\" is not a number");
            }
        }
        return value instanceof Double ? value : null;
    }

    private static Object toText(Object value) {
        if (value instanceof Duration d) {
            BigDecimal seconds =
                    BigDecimal.valueOf(d.getSeconds()).add(BigDecimal.valueOf(d.getNano(), 9));
            return seconds.signum() == 0
                    ? "0s"
                    : seconds.stripTrailingZeros().toPlainString() + "s";
        }
        boolean scalar =
                value instanceof Long
                        || value instanceof Double
                        || value instanceof Boolean
                        || value instanceof String;
        return scalar ? value.toString() : null;
    }

    private static Object toDuration(Object value) {
        if (value instanceof String s) {
            Duration d = Durations.parse(s);
            return d != null
                    ? d
                    : new Unknown("\"" + shown(s) + "\" is not a duration such as 90s or 1h30m");
        }
        return value instanceof Duration ? value : null;
    }

    private static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
