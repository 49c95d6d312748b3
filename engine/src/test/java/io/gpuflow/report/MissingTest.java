package io.gpuflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissingTest {
    private static final String NO_SMI = "nvidia-smi is not installed, or not on PATH";
    private static final String NO_AMD = "amd-smi is not installed, or not on PATH";
    private static final String NO_ROCM = "rocm-smi is not installed, or not on PATH";

    @Test
    void aReasonThatManyChecksShareIsToldOnce() {
        List<Missing> reasons =
                Missing.of(
                        List.of(
                                untold("a", "Gpu", NO_SMI + "; " + NO_AMD + "; the bus has none"),
                                untold("b", "Driver", NO_SMI),
                                untold("c", "Gpu", NO_SMI + "; " + NO_ROCM),
                                untold(
                                        "d",
                                        "ParallelPlan",
                                        "no GPU is known: " + NO_SMI + "; " + NO_AMD + "; stop")));
        assertEquals(
                List.of(
                        "nvidia-smi and amd-smi are not installed, or not on PATH; the bus has"
                                + " none; rocm-smi is not installed, or not on PATH"
                                + " (3 checks: Driver, Gpu)",
                        "no GPU is known; stop (1 check: ParallelPlan)"),
                reasons.stream().map(Missing::line).toList());
    }

    @Test
    void differentReasonsStayApart() {
        List<Missing> reasons =
                Missing.of(
                        List.of(
                                untold("a", "Nic", "ibstat is not in the recording"),
                                untold("b", "Nic", "ibstat: no rights"),
                                untold("c", "Nic", "ibstat: no rights")));
        assertEquals(
                List.of("ibstat: no rights", "ibstat is not in the recording"),
                reasons.stream().map(Missing::why).toList());
    }

    @Test
    void manyFactsAreCounted() {
        List<Judgement.Untold> untold =
                List.of("A", "B", "C", "D", "E", "F", "G", "H").stream()
                        .map(fact -> untold("rule", fact, NO_SMI))
                        .toList();
        assertEquals(
                NO_SMI + " (1 check: A, B, C, D, E, F and 2 more)",
                Missing.of(untold).get(0).line());
    }

    private static Judgement.Untold untold(String rule, String what, String why) {
        return new Judgement.Untold(rule, "hardware", List.of(new Unknown(what, why)));
    }
}
