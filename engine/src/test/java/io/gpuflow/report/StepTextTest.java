package io.gpuflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTextTest {
    private static final String SLOW = "all_reduce reaches 27 of 339 GB/s, a tenth of the links";

    private final Map<String, String> told = new HashMap<>();

    @Test
    void figuresStayWhenARuleWarns() {
        RunReport.StepLine bench =
                step("bench", "warned", SLOW, at("all_reduce", "27"), at("all_gather", "26"));
        assertEquals(
                List.of(SLOW, "all_reduce: 27 GB/s", "all_gather: 26 GB/s"),
                StepText.of(bench, told));
    }

    @Test
    void eachPointHasALineWhenAllPassed() {
        RunReport.StepLine bench =
                step(
                        "bench",
                        "passed",
                        "op all_reduce: all_reduce: 27 GB/s; op all_gather: all_gather: 26 GB/s"
                                + " (2 checks unknown)",
                        at("all_reduce", "27"),
                        at("all_gather", "26"));
        assertEquals(
                List.of("all_reduce: 27 GB/s (2 checks unknown)", "all_gather: 26 GB/s"),
                StepText.of(bench, told));
    }

    @Test
    void whatAStepAboveSaysIsPointedAt() {
        StepText.of(step("smoke", "failed", SLOW), told);
        assertEquals(
                List.of("the same as smoke (2 checks unknown)"),
                StepText.of(step("diagnose", "failed", SLOW + " (2 checks unknown)"), told));
    }

    private static RunReport.AttemptLine at(String op, String speed) {
        String says = op + ": " + speed + " GB/s";
        return new RunReport.AttemptLine(1, Map.of("op", op), null, false, "passed", says, 1, "f");
    }

    private static RunReport.StepLine step(
            String id, String state, String reason, RunReport.AttemptLine... attempts) {
        return new RunReport.StepLine(
                id, state, reason, 1, null, List.of(attempts), List.of(), Map.of());
    }
}
