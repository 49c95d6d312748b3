package io.gpuflow.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds of every expression, tried on many made at random, the same ones each time. */
class ExprPropertiesTest {
    private static final long SEED = 4711;
    private static final int MANY = 5000;

    /** Marks of a mistake that the checker must have seen. */
    private static final List<String> MISTAKES =
            List.of(
                    "can't join",
                    "needs true or false",
                    "needs a",
                    "can't be asked of",
                    "goes over");

    private static Map<String, Object> values() {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("one", 1L);
        m.put("half", 0.5);
        m.put("text", "ab");
        m.put("yes", true);
        m.put("list", List.of(1L, 2L, 3L));
        m.put("none", new Value.Unknown("not asked"));
        Map<String, Object> values = new HashMap<>();
        values.putAll(Map.of("i", 5L, "j", -2L, "d", 2.5, "s", "abc", "t", "12", "b", true));
        values.putAll(Map.of("l", List.of(1L, 2L, 3L), "w", List.of("a", "b"), "m", m));
        values.put("n", null);
        values.put("u", new Value.Unknown("not asked"));
        return values;
    }

    private static Type.Fields types() {
        Map<String, Type> m = new LinkedHashMap<>();
        m.put("one", Type.INT);
        m.put("half", Type.DOUBLE);
        m.put("text", Type.TEXT);
        m.put("yes", Type.BOOL);
        m.put("list", Type.listOf(Type.INT));
        m.put("none", Type.INT);
        Map<String, Type> types = new HashMap<>();
        types.putAll(Map.of("i", Type.INT, "j", Type.INT, "d", Type.DOUBLE, "s", Type.TEXT));
        types.putAll(Map.of("t", Type.TEXT, "b", Type.BOOL, "l", Type.listOf(Type.INT)));
        types.put("w", Type.listOf(Type.TEXT));
        types.put("m", Type.fields("m", m));
        types.put("n", Type.NULL);
        types.put("u", Type.ANY);
        return Type.fields("the scope", types);
    }

    @Test
    void printedExpressionsReadTheSame() throws ExprException {
        Expressions expressions = new Expressions(SEED);
        for (int n = 0; n < MANY; n++) {
            Expr expr = parsed(expressions.any(1 + n % 5));
            if (expr != null) {
                Expr again = Expr.parse(expr.toString());
                assertEquals(Untyped.print(expr.root()), Untyped.print(again.root()), expr::text);
                assertEquals(expr.toString(), again.toString());
            }
        }
    }

    @Test
    void whatTheCheckerLetsPassHasNoWrongTypes() {
        Expressions expressions = new Expressions(SEED);
        Scope scope = Scope.of(values());
        int passed = 0;
        for (int n = 0; n < MANY; n++) {
            Expr expr = parsed(expressions.any(1 + n % 4));
            List<ExprProblem> problems = new ArrayList<>();
            Type type = expr == null ? null : expr.check(types(), problems);
            if (expr == null || !problems.isEmpty() || mentionsOpen(expr)) {
                continue;
            }
            passed++;
            Value value = expr.evaluate(scope);
            if (value instanceof Value.Unknown unknown) {
                assertTrue(
                        MISTAKES.stream().noneMatch(unknown.why()::contains),
                        () -> expr.text() + " : " + unknown.why());
            } else {
                assertTrue(fits(type, value.orElse(null)), () -> expr.text() + " is no " + type);
            }
        }
        assertTrue(passed > MANY / 4, "only " + passed + " passed");
    }

    /** Values without a type, and null, are allowed everywhere and told at run time. */
    private static boolean mentionsOpen(Expr expr) {
        String text = expr.toString();
        return text.matches(".*\\b(u|n)\\b.*")
                || text.contains("?")
                || text.matches(".*\\[.*,.*].*");
    }

    private static boolean fits(Type type, Object value) {
        if (type instanceof Type.ListOf list) {
            return value instanceof List<?> items
                    && items.stream().allMatch(i -> fits(list.item(), i));
        }
        return type == Type.ANY
                || type == Type.INT && value instanceof Long
                || type == Type.DOUBLE && value instanceof Double
                || type == Type.TEXT && value instanceof String
                || type == Type.BOOL && value instanceof Boolean
                || type instanceof Type.Fields && value instanceof Map;
    }

    @Test
    void explainingAlwaysSaysSomething() {
        Expressions expressions = new Expressions(SEED);
        for (int n = 0; n < MANY; n++) {
            Expr expr = parsed(expressions.any(n % 4));
            if (expr != null) {
                assertTrue(!expr.because(Scope.of(values())).isBlank());
            }
        }
    }

    @Test
    void damagedExpressionsAreRefusedInWords() {
        Expressions expressions = new Expressions(SEED);
        Random random = new Random(SEED);
        String noise = "()[]{}'\"\\.,?:!&|=<>+-*/%$#@~^`;0123456789eExXrRuUbB_ \t\n\u0000é😀\ud83d";
        assertTimeoutPreemptively(
                Duration.ofSeconds(120),
                () -> {
                    for (int n = 0; n < 4 * MANY; n++) {
                        StringBuilder text = new StringBuilder(expressions.any(n % 4));
                        for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                            char c = noise.charAt(random.nextInt(noise.length()));
                            int at = random.nextInt(text.length() + 1);
                            if (random.nextBoolean() && at < text.length()) {
                                text.deleteCharAt(at);
                            } else {
                                text.insert(at, c);
                            }
                        }
                        tried(text.toString());
                    }
                });
    }

    private static void tried(String text) {
        try {
            Expr expr = Expr.parse(text);
            expr.evaluate(Scope.of(values()));
            expr.check(types(), new ArrayList<>());
        } catch (ExprException e) {
            ExprProblem problem = e.problem();
            assertTrue(problem.offset() >= 0 && problem.offset() <= text.length(), text);
            assertTrue(!problem.says().isBlank());
        } catch (RuntimeException | StackOverflowError e) {
            fail("not refused in words: " + text, e);
        }
    }

    @Test
    void deepAndLongExpressionsEndSoon() {
        List<String> texts = new ArrayList<>();
        for (String one :
                List.of(
                        "(",
                        "[",
                        "!",
                        "-",
                        "a.",
                        "a[",
                        "a?",
                        "a?b:",
                        "a&&",
                        "a+",
                        "a.all(x,",
                        "size(",
                        "has(a.",
                        "'",
                        "1e",
                        "0x",
                        "\"\\")) {
            texts.add(one.repeat(50_000));
            texts.add(one.repeat(9_000 / one.length()));
            texts.add(one.repeat(500) + "a" + ")".repeat(500));
        }
        texts.add("[1,1,1,1]".repeat(900));
        texts.add("l" + ".map(x, l)".repeat(150));
        texts.add(
                "l.map(x, l.map(y, l.map(z, l.map(a, l.map(b, l.map(c, l.map(d, l.map(e, l"
                        + ".map(f, l.map(g, l.map(h, l.map(i, l.map(j, 1)))))))))))))");
        texts.add("'" + "a".repeat(3000) + "'.matches('" + "(a*)*".repeat(150) + "b')");
        texts.add("s.matches('((a{100}){100}){100}')");
        assertTimeoutPreemptively(Duration.ofSeconds(120), () -> texts.forEach(t -> tried(t)));
    }

    private static Expr parsed(String text) {
        try {
            return Expr.parse(text);
        } catch (ExprException e) {
            return null;
        }
    }
}
