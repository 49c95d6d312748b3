package io.gpuflow.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.NullValue;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.ErrorValue;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import dev.cel.runtime.PartialVars;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Each of our expressions is valid CEL with the same result. What we call unknown is an error or an
 * unknown there.
 */
class CelOracleTest {
    private static final int EXPRESSIONS = Integer.getInteger("expressions", 4000);

    private static final String NONE = "not an expression";

    private static final CelOptions OPTIONS =
            CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

    private static final CelCompiler COMPILER = compiler();
    private static final CelRuntime CHECKED =
            CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS).build();
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

    private static CelCompiler compiler() {
        var builder =
                CelCompilerFactory.standardCelCompilerBuilder()
                        .setOptions(OPTIONS)
                        .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
        for (String name : "i j d s t b l w m n u".split(" ")) {
            builder.addVar(name, SimpleType.DYN);
        }
        return builder.build();
    }

    private static Map<String, Object> cel() {
        Map<String, Object> values = values();
        values.put("n", NullValue.NULL_VALUE);
        return values;
    }

    private static Map<String, Object> values() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("one", 1L);
        map.put("half", 0.5);
        map.put("text", "ab");
        map.put("yes", true);
        map.put("list", List.of(1L, 2L, 3L));
        Map<String, Object> values = new HashMap<>();
        values.put("i", 5L);
        values.put("j", -2L);
        values.put("d", 2.5);
        values.put("s", "abc");
        values.put("t", "12");
        values.put("b", true);
        values.put("l", List.of(1L, 2L, 3L));
        values.put("w", List.of("a", "b"));
        values.put("m", map);
        return values;
    }

    @Test
    void generatedExpressionsAgree() {
        Expressions expressions = new Expressions(20261129);
        Map<String, Integer> kinds = new HashMap<>();
        List<String> differences = new ArrayList<>();
        for (int n = 0; n < EXPRESSIONS; n++) {
            String text = expressions.any(1 + n % 4);
            String got = ours(text);
            String wanted = oracle(text);
            if (got.equals("unknown") && !wanted.equals(got)) {
                wanted = secondOpinion(text, wanted);
            }
            kinds.merge(got.equals("unknown") || got.equals(NONE) ? got : "known", 1, Integer::sum);
            if (!wanted.equals(got)) {
                differences.add(text + "\n    CEL: " + wanted + "\n    we:  " + got);
            }
        }
        assertTrue(kinds.get("known") > EXPRESSIONS / 2, kinds::toString);
        assertTrue(kinds.get("unknown") > EXPRESSIONS / 5, kinds::toString);
        assertEquals("", String.join("\n", differences));
    }

    /**
     * dev.cel 0.14's new runtime can lose an error on its way through a list or ==, so that a value
     * comes out. Its older one keeps the error, but wants a checked expression, so every part is
     * made dyn.
     */
    private static String secondOpinion(String text, String first) {
        try {
            CelAbstractSyntaxTree tree =
                    COMPILER.compile(Untyped.print(Parser.parse(text))).getAst();
            CHECKED.createProgram(tree).eval(cel());
            return first;
        } catch (CelValidationException | ExprException e) {
            return first;
        } catch (CelEvaluationException e) {
            return "unknown";
        }
    }

    private static String ours(String text) {
        try {
            Map<String, Object> values = values();
            values.put("n", null);
            values.put("u", new Value.Unknown("not asked"));
            Value value = Expr.parse(text).evaluate(Scope.of(values));
            return value instanceof Value.Known known ? shown(known.value()) : "unknown";
        } catch (ExprException e) {
            return NONE;
        }
    }

    private static String oracle(String text) {
        try {
            CelAbstractSyntaxTree tree = COMPILER.parse(text).getAst();
            CelAttributePattern unknown = CelAttributePattern.create("u");
            return shown(RUNTIME.createProgram(tree).eval(PartialVars.of(cel(), unknown)));
        } catch (CelEvaluationException e) {
            return "unknown";
        } catch (Exception e) {
            return NONE;
        }
    }

    private static String shown(Object value) {
        if (value instanceof List<?> list) {
            // dev.cel 0.14 leaves an error inside of a list where the list itself is the error.
            boolean error = list.stream().anyMatch(item -> item instanceof ErrorValue);
            return error ? "unknown" : list.stream().map(CelOracleTest::shown).toList().toString();
        }
        if (value == null || value.getClass().getSimpleName().equals("NullValue")) {
            return "null";
        }
        if (value instanceof com.google.protobuf.Duration d) {
            return Duration.ofSeconds(d.getSeconds(), d.getNanos()).toString();
        }
        if (value instanceof CelUnknownSet) {
            return "unknown";
        }
        boolean plain =
                value instanceof Number
                        || value instanceof Boolean
                        || value instanceof String
                        || value instanceof Duration
                        || value instanceof Map;
        return plain
                ? value.getClass().getSimpleName().replace("Linked", "").replace("Hash", "")
                        + " "
                        + value
                : value.getClass() + " " + value;
    }
}
