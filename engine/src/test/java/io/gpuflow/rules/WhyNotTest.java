package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Transport;
import io.gpuflow.facts.Unknown;
import io.gpuflow.rules.explain.WhyNot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WhyNotTest {
    private static final LoadedRules RULES = ShippedRules.loaded();

    static {
        RULES.warm();
    }

    private static List<String> why(String rule, Fact... facts) throws IOException {
        Path home = Path.of(System.getProperty("gpuflow.home"));
        String area = RULES.cards().get(rule).area();
        String drl =
                Files.readString(home.resolve("rules").resolve(area).resolve(rule + "/rule.drl"));
        List<Observed> observed =
                Stream.of(facts).map(f -> new Observed(f, Source.of("here"))).toList();
        return WhyNot.lines(RULES, rule, drl, observed, false);
    }

    private static Topology nvswitch() {
        return new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(List.of(0, 1)));
    }

    @Test
    void theFirstConditionThatNothingMeetsAndWhatIsNearest() throws IOException {
        List<String> lines =
                why(
                        "p2p-disabled-by-setting",
                        nvswitch(),
                        new EnvVar("NCCL_P2P_DISABLE", "0", "environment"),
                        new EnvVar("NCCL_DEBUG", "INFO", "environment"));
        assertTrue(lines.get(0).startsWith("1. FAILS"), lines.toString());
        assertEquals(
                "   nearest: EnvVar name=NCCL_P2P_DISABLE, value=0, where=environment  (here)",
                lines.get(1));
        assertEquals("   it fails: value == 1", lines.get(2));
        assertTrue(lines.get(3).startsWith("2. not looked at"), lines.toString());
    }

    @Test
    void aSumThatIsEmptyNamesTheFactThatIsNearest() throws IOException {
        List<String> lines =
                why("slow-transport-shm", nvswitch(), new Transport(0, 1, "P2P/CUMEM"));
        assertTrue(lines.contains("   it fails: via.starts_with(SHM)"), lines.toString());
    }

    @Test
    void aMissingFactIsNamedWithItsReason() throws IOException {
        List<String> lines =
                why(
                        "pcie-only-no-tensor-parallel",
                        new Unknown("Topology", "nvidia-smi is not installed"));
        assertEquals("it needs Topology: not known: nvidia-smi is not installed", lines.get(0));
    }

    @Test
    void aMachineThatTheRuleIsNotAboutIsSaid() throws IOException {
        List<String> lines =
                why("pcie-only-no-tensor-parallel", new Topology(LinkClass.SINGLE, 1, List.of()));
        assertEquals("it is about machines with 2 or more GPUs, which this is not", lines.get(0));
    }

    @Test
    void settingsAreToldWithTheirValue() throws IOException {
        List<String> lines = why("pcie-only-no-tensor-parallel", nvswitch());
        assertEquals("1. holds         setting min_gpus = 2", lines.get(0));
    }

    @Test
    void everyConditionOfEveryRuleCanBeTriedAlone() throws IOException {
        for (String rule : RULES.cards().keySet()) {
            List<String> lines = why(rule);
            assertTrue(
                    lines.stream().anyMatch(l -> l.contains("FAILS"))
                            || lines.stream().allMatch(l -> l.contains("holds")),
                    rule + ": " + lines);
        }
    }
}
