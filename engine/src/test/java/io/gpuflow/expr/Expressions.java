package io.gpuflow.expr;

import java.util.List;
import java.util.Random;

/**
 * Makes expressions at random, the same for the same seed: most of them well typed, some not, over
 * the variables i, j (ints), d (double), s, t (text), b (bool), l (ints), w (texts), m (a map), n
 * (null) and u (unknown).
 */
final class Expressions {
    private static final List<String> INTS =
            List.of("0", "1", "2", "-3", "7", "i", "j", "9223372036854775807", "0x1f", "m.one");
    private static final List<String> DOUBLES =
            List.of("3.25", "1.0", "-2.5", "1e3", "d", ".5", "m.half");
    private static final List<String> TEXTS =
            List.of(
                    "''",
                    "'a'",
                    "\"b\"",
                    "s",
                    "t",
                    "'12'",
                    "r'\\d+'",
                    "'é\\n\\u0041'",
                    "m['text']");
    private static final List<String> BOOLS = List.of("true", "false", "b", "m.yes");
    private static final List<String> LISTS = List.of("[]", "l", "w", "[1, 2]", "[i, 3]", "m.list");

    private final Random random;

    Expressions(long seed) {
        this.random = new Random(seed);
    }

    /** An expression of about this depth, of a random type. */
    String any(int depth) {
        return switch (random.nextInt(8)) {
            case 0 -> whole(depth);
            case 1 -> number(depth);
            case 2 -> text(depth);
            case 3 -> list(depth);
            case 4 -> wild(depth);
            default -> bool(depth);
        };
    }

    private String bool(int depth) {
        if (depth <= 0) {
            return odd(BOOLS);
        }
        int d = depth - 1;
        return switch (random.nextInt(16)) {
            case 0, 1 -> bool(d) + " && " + bool(d);
            case 2, 3 -> bool(d) + " || " + bool(d);
            case 4 -> "!" + paren(bool(d));
            case 5 -> paren(whole(d)) + order() + paren(whole(d));
            case 6 ->
                    paren(number(d)) + order() + paren(random.nextBoolean() ? number(d) : whole(d));
            case 7 -> paren(text(d)) + order() + paren(text(d));
            case 8 -> paren(any(d)) + " == " + paren(any(d));
            case 9 -> paren(list(d)) + " != " + paren(list(d));
            case 10 -> paren(whole(d)) + " in " + paren(list(d));
            case 11 -> paren(text(d)) + "." + test() + "(" + text(d) + ")";
            case 12 -> paren(list(d)) + ".all(x, " + paren("x") + order() + paren(whole(d)) + ")";
            case 13 -> paren(list(d)) + ".exists(x, " + bool(d) + ")";
            case 14 -> "has(m." + pick(List.of("one", "none", "text")) + ")";
            default -> paren(bool(d)) + " ? " + paren(bool(d)) + " : " + bool(d);
        };
    }

    private String whole(int depth) {
        if (depth <= 0) {
            return odd(INTS);
        }
        int d = depth - 1;
        return switch (random.nextInt(9)) {
            case 0, 1 -> paren(whole(d)) + sign("+-*/%") + paren(whole(d));
            case 2 -> "-" + paren(whole(d));
            case 3 -> "size(" + (random.nextBoolean() ? list(d) : text(d)) + ")";
            case 4 -> paren(list(d)) + ".size()";
            case 5 -> "int(" + (random.nextBoolean() ? number(d) : text(d)) + ")";
            case 6 -> paren(list(d)) + "[" + whole(d) + "]";
            case 7 -> paren(bool(d)) + " ? " + paren(whole(d)) + " : " + whole(d);
            default -> odd(INTS);
        };
    }

    private String number(int depth) {
        if (depth <= 0) {
            return odd(DOUBLES);
        }
        int d = depth - 1;
        return switch (random.nextInt(5)) {
            case 0, 1 -> paren(number(d)) + sign("+-*/") + paren(number(d));
            case 2 -> "-" + paren(number(d));
            case 3 -> "double(" + (random.nextBoolean() ? whole(d) : text(d)) + ")";
            default -> odd(DOUBLES);
        };
    }

    private String text(int depth) {
        if (depth <= 0) {
            return odd(TEXTS);
        }
        int d = depth - 1;
        return switch (random.nextInt(4)) {
            case 0 -> paren(text(d)) + " + " + paren(text(d));
            case 1 -> "string(" + (random.nextBoolean() ? whole(d) : bool(d)) + ")";
            default -> odd(TEXTS);
        };
    }

    private String list(int depth) {
        if (depth <= 0) {
            return odd(LISTS);
        }
        int d = depth - 1;
        return switch (random.nextInt(6)) {
            case 0 -> paren(list(d)) + " + " + paren(list(d));
            case 1 -> paren(list(d)) + ".filter(x, " + bool(d) + ")";
            case 2 -> paren(list(d)) + ".map(x, " + any(d) + ")";
            case 3 -> paren(list(d)) + ".map(x, " + bool(d) + ", " + whole(d) + ")";
            case 4 -> "[" + any(d) + ", " + any(d) + "]";
            default -> odd(LISTS);
        };
    }

    /** Any operator between any operands. */
    private String wild(int depth) {
        String left = paren(depth <= 0 ? odd(INTS) : any(depth - 1));
        String right = paren(depth <= 0 ? odd(TEXTS) : any(depth - 1));
        return left + (random.nextInt(3) == 0 ? " in " : sign("+-*/%<>")) + right;
    }

    /** Mostly one of these, sometimes a value of another type or an unknown one. */
    private String odd(List<String> usual) {
        return switch (random.nextInt(60)) {
            case 0 -> "u";
            case 1 -> "n";
            case 2 -> pick(INTS);
            case 3 -> pick(TEXTS);
            case 4 -> "m.none";
            case 5 -> "m";
            default -> pick(usual);
        };
    }

    private String paren(String text) {
        return random.nextInt(3) == 0 ? text : "(" + text + ")";
    }

    private String order() {
        return pick(List.of(" < ", " <= ", " > ", " >= ", " == ", " != "));
    }

    private String test() {
        return pick(List.of("startsWith", "endsWith", "contains", "matches"));
    }

    private String sign(String signs) {
        return " " + signs.charAt(random.nextInt(signs.length())) + " ";
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }
}
