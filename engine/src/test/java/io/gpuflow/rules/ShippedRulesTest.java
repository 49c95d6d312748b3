package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShippedRulesTest {
    private static final String RULE = "pcie-only-no-tensor-parallel";
    private final RuleBook rules = ShippedRules.load();

    private Judgement judge(io.gpuflow.facts.Fact... facts) {
        return rules.judge(
                java.util.Arrays.stream(facts)
                        .map(f -> new Observed(f, new Source("nvidia-smi topo -m", 3, "x")))
                        .toList(),
                Set.of());
    }

    @Test
    void aFindingBearsWordsEvidenceAndProof() {
        Verdict v =
                judge(new Topology(LinkClass.PCIE_ONLY, 4, List.of())).verdicts().stream()
                        .filter(x -> x.id().equals(RULE))
                        .findFirst()
                        .orElseThrow();
        assertTrue(v.says().startsWith("4 GPUs"), v.says());
        assertEquals("nvidia-smi topo -m", v.evidence().get(0).text());
        assertTrue(v.proof().contains("setting min_gpus = 2  (rule.yaml)"), v.proof().toString());
    }

    @Test
    void anUnknownFactLeavesItsRulesUntold() {
        Judgement j = judge(new Unknown("Topology", "nvidia-smi is not installed"));
        assertTrue(j.untold().stream().anyMatch(u -> u.rule().equals(RULE)), j.toString());
    }

    @Test
    void whatNothingAskedForIsNotUntold() {
        assertTrue(judge().untold().isEmpty());
    }
}
