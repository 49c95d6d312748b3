package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.folder.Conflicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConflictsTest {
    private static final Map<String, RuleCard> CARDS = ShippedRules.cards();

    private static List<String> in(List<Verdict> verdicts, Advice... advice) {
        Judgement judgement = new Judgement(verdicts, List.of(advice), List.of(), List.of());
        return Conflicts.in(judgement, CARDS).stream().map(Conflicts.Conflict::toString).toList();
    }

    private static Verdict verdict(String id, String variable, String value) {
        Map<String, String> env = new HashMap<>();
        if (variable != null) {
            env.put(variable, value);
        }
        Verdict.Fix fix = new Verdict.Fix("fix", "user", "x", env, "none");
        return new Verdict(
                id,
                "x",
                null,
                Verdict.Role.INFO,
                Verdict.Level.INFO,
                null,
                1,
                List.of(),
                List.of(),
                id,
                "x",
                List.of(fix),
                List.of(),
                List.of(),
                new TreeMap<>());
    }

    @Test
    void oneVariableTwoWays() {
        assertEquals(
                List.of("NCCL_P2P_DISABLE: 1 (a), unset (b)"),
                in(
                        List.of(
                                verdict("a", "NCCL_P2P_DISABLE", "1"),
                                verdict("b", "NCCL_P2P_DISABLE", null))));
        assertEquals(
                List.of(),
                in(
                        List.of(
                                verdict("a", "NCCL_DEBUG", "INFO"),
                                verdict("b", "NCCL_DEBUG", "INFO"))));
    }

    @Test
    void oneTopicTwoPositions() {
        List<String> told =
                in(
                        List.of(
                                verdict("pcie-only-no-tensor-parallel", null, null),
                                verdict("all-to-all-tensor-parallel", null, null)));
        assertEquals(1, told.size(), told.toString());
    }

    @Test
    void onAndOff() {
        assertEquals(
                List.of("experiment p2p: p2p-off (a), p2p-on (b)"),
                in(List.of(), new Advice("a", "p2p-off", "x"), new Advice("b", "p2p-on", "x")));
        assertEquals(
                Set.of("a", "b"),
                Conflicts.in(
                                new Judgement(
                                        List.of(),
                                        List.of(
                                                new Advice("a", "p2p-off", "x"),
                                                new Advice("b", "p2p-on", "x")),
                                        List.of(),
                                        List.of()),
                                CARDS)
                        .get(0)
                        .rules());
    }
}
