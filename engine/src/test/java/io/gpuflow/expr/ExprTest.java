package io.gpuflow.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExprTest {
    private static final Scope SCOPE =
            Scope.of(
                    Map.of(
                            "gpus", List.of(0, 1, 2),
                            "bus", 339.5,
                            "host",
                                    Map.of(
                                            "name",
                                            "lab-7",
                                            "jobs",
                                            0,
                                            "iommu",
                                            new Value.Unknown("dmesg is not readable")),
                            "limit", Duration.ofMinutes(5)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "size(gpus) > 1 && host.jobs == 0 → true",
                "bus > 300 → true",
                "bus * 2.0 → 679.0",
                "host.name.startsWith('lab-') → true",
                "host['name'] → lab-7",
                "host.name.matches('^lab-[0-9]+$') → true",
                "2 in gpus ? 'yes' : 'no' → yes",
                "gpus.exists(g, g == 2) → true",
                "gpus.all(g, g < 2) → false",
                "gpus.filter(g, g > 0) → [1, 2]",
                "gpus.map(g, g > 0, g * 10) → [10, 20]",
                "limit > duration('90s') → true",
                "has(host.name) → true",
                "has(host.nothing) → false",
                "has(host.iommu) → false",
                "host.iommu && false → false",
                "false && host.iommu → false",
                "host.iommu || true → true",
                "gpus.exists(g, g == 1 || host.iommu) → true",
                "-7 / 2 → -3",
                "-7 % 2 → -1",
                "-9223372036854775808 → -9223372036854775808",
                "1 == 1.0 → true",
                "'1' == 1 → false",
                "size('añ😀') → 3",
                "int('12') + int(3.9) → 15",
                "string(1) + \"a\" → 1a",
                "1 < 2 == true → true",
            })
    void evaluates(String text, String wanted) throws ExprException {
        assertEquals(wanted, String.valueOf(Expr.parse(text).evaluate(SCOPE).orElse("unknown")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "host.iommu → dmesg is not readable",
                "host.iommu && true → dmesg is not readable",
                "!host.iommu → dmesg is not readable",
                "host.iommu == true → dmesg is not readable",
                "host.iommu ? 1 : 2 → dmesg is not readable",
                "gpus.all(g, host.iommu) → dmesg is not readable",
                "host.nothing → there is no nothing",
                "gpus[3] → the list has 3 items, there is no item 3",
                "1 / 0 → division by zero",
                "9223372036854775807 + 1 → the result is too large for an int",
                "1 + 1.0 → + can't join an int and a double",
            })
    void tellsWhyNot(String text, String why) throws ExprException {
        assertEquals(new Value.Unknown(why), Expr.parse(text).evaluate(SCOPE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "size(gpus) > 3 → size(gpus) is 3, wanted > 3",
                "3 < size(gpus) → size(gpus) is 3, wanted > 3",
                "size(gpus) > 1 && host.jobs > 0 → host.jobs is 0, wanted > 0",
                "host.name == 'x' || bus > 400 → host.name is \"lab-7\", wanted == \"x\" and bus is 339.5, wanted > 400",
                "host.iommu → host.iommu is unknown: dmesg is not readable",
            })
    void saysWhatDecided(String text, String why) throws ExprException {
        assertEquals(why, Expr.parse(text).because(SCOPE));
    }

    @Test
    void nestedLoopsEnd() throws ExprException {
        String loops = "l.all(a, l.all(b, l.all(c, l.all(d, a + b + c + d >= 0))))";
        List<Object> list = new ArrayList<>(java.util.Collections.nCopies(1000, 1));
        Value value = Expr.parse(loops).evaluate(Scope.of(Map.of("l", list)));
        assertInstanceOf(Value.Unknown.class, value);
    }

    @Test
    void templatesKeepTheTypeOfAWholeExpression() throws ExprException {
        assertEquals(List.of(0, 1, 2), Template.parse("${{ gpus }}").evaluate(SCOPE).orElse(null));
        assertEquals("0,1,2", Template.parse("${{ gpus }}").text(SCOPE).orElse(null));
        assertEquals(
                "3 GPUs, a }} b, ${{ x",
                Template.parse("${{ size(gpus) }} GPUs, ${{ 'a }} b' }}, $${{ x")
                        .evaluate(SCOPE)
                        .orElse(null));
        assertThrows(ExprException.class, () -> Template.parse("${{ size( }}"));
    }

    @Test
    void checksNamesAndTypes() throws ExprException {
        Type.Fields scope =
                Type.fields(
                        "the scope",
                        Map.of(
                                "steps",
                                Type.fields("steps", Map.of("ddp-smoke", Type.mapOf(Type.ANY))),
                                "n",
                                Type.INT));
        assertEquals(
                "write steps[\"ddp-smoke\"]: a - in a name would be a minus",
                problem("steps.ddp-smoke.out", scope).next());
        assertEquals("did you mean steps?", problem("stepps.x", scope).next());
        assertEquals("+ can't join an int and a double", problem("n + 1.5", scope).says());
        assertTrue(problems("steps['ddp-smoke'].x > n && n < 1.5", scope).isEmpty());
    }

    private static ExprProblem problem(String text, Type.Fields scope) throws ExprException {
        return problems(text, scope).get(0);
    }

    private static List<ExprProblem> problems(String text, Type.Fields scope) throws ExprException {
        List<ExprProblem> problems = new ArrayList<>();
        Expr.parse(text).check(scope, problems);
        return problems;
    }
}
