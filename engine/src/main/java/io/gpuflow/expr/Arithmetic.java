package io.gpuflow.expr;

import io.gpuflow.expr.Value.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The operators on numbers, text, lists and durations. Ints and doubles don't mix, as in CEL. */
final class Arithmetic {
    private static final int LONGEST_TEXT = 1_000_000;

    private Arithmetic() {}

    static Object negate(Object value) {
        if (value instanceof Long n) {
            return n == Long.MIN_VALUE ? overflow() : (Object) (-n);
        }
        if (value instanceof Double d) {
            return -d;
        }
        return new Unknown("- needs a number, not " + Plain.typeOf(value));
    }

    static Object compute(Operator operator, Object left, Object right) {
        try {
            if (left instanceof Long a && right instanceof Long b) {
                return whole(operator, a, b);
            }
            if (left instanceof Double a && right instanceof Double b) {
                return number(operator, a, b);
            }
            if (left instanceof Duration a && right instanceof Duration b) {
                return durations(operator, a, b);
            }
        } catch (ArithmeticException e) {
            return overflow();
        }
        if (operator == Operator.ADD && left instanceof String a && right instanceof String b) {
            return a.length() + b.length() > LONGEST_TEXT
                    ? new Unknown("the text grows too long")
                    : a + b;
        }
        if (operator == Operator.ADD && left instanceof List<?> a && right instanceof List<?> b) {
            List<Object> sum = new ArrayList<>(a);
            sum.addAll(b);
            return sum;
        }
        return mismatch(operator, left, right);
    }

    private static Object whole(Operator operator, long a, long b) {
        return switch (operator) {
            case ADD -> Math.addExact(a, b);
            case SUBTRACT -> Math.subtractExact(a, b);
            case MULTIPLY -> Math.multiplyExact(a, b);
            default -> {
                if (b == 0) {
                    yield new Unknown("division by zero");
                }
                if (operator == Operator.MODULO) {
                    yield a % b;
                }
                yield a == Long.MIN_VALUE && b == -1 ? overflow() : (Object) (a / b);
            }
        };
    }

    private static Object number(Operator operator, double a, double b) {
        return switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            default -> mismatch(operator, a, b);
        };
    }

    private static Object durations(Operator operator, Duration a, Duration b) {
        return switch (operator) {
            case ADD -> a.plus(b);
            case SUBTRACT -> a.minus(b);
            default -> mismatch(operator, a, b);
        };
    }

    static Object order(Operator operator, Object left, Object right) {
        int order;
        if (left instanceof Number a && right instanceof Number b) {
            if (isNaN(a) || isNaN(b)) {
                return false;
            }
            order = Plain.compareNumbers(a, b);
        } else if (left instanceof String a && right instanceof String b) {
            order = Plain.compareTexts(a, b);
        } else if (left instanceof Duration a && right instanceof Duration b) {
            order = a.compareTo(b);
        } else if (left instanceof Boolean a && right instanceof Boolean b) {
            order = Boolean.compare(a, b);
        } else {
            return mismatch(operator, left, right);
        }
        return switch (operator) {
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            default -> order >= 0;
        };
    }

    private static boolean isNaN(Number n) {
        return n instanceof Double d && d.isNaN();
    }

    private static Unknown overflow() {
        return new Unknown("the result is too large for an int");
    }

    private static Unknown mismatch(Operator operator, Object left, Object right) {
        return new Unknown(
                operator.sign
                        + " can't join "
                        + Plain.typeOf(left)
                        + " and "
                        + Plain.typeOf(right));
    }
}
