package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.flow.JobEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leaving out rules that can't fire changes no judgement. */
class BasesTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    @Test
    void logsAreJudgedAsByAllRules() throws IOException {
        LoadedRules all = ShippedRules.loaded();
        all.warm();
        int judged = 0;
        try (Stream<Path> logs = Files.list(SAMPLES.resolve("logs"))) {
            for (Path log : logs.filter(p -> p.toString().endsWith(".log")).sorted().toList()) {
                List<Observed> facts = JobEvidence.read(List.of(log), List.of()).get(0).facts();
                assertEquals(
                        all.judge(facts, Set.of()),
                        ShippedRules.load().judge(facts, Set.of()),
                        log.toString());
                judged++;
            }
        }
        assertTrue(judged > 10);
    }

    @Test
    void machinesAreJudgedAsByAllRules() {
        List<Observed> facts =
                Stream.<Fact>of(
                                new Topology(LinkClass.PCIE_ONLY, 4, List.of()),
                                new EnvVar("NCCL_P2P_DISABLE", "1", "environment"),
                                new Bench(
                                        "torch",
                                        "all_reduce",
                                        4,
                                        9.0,
                                        5.0,
                                        9.0,
                                        1L << 30,
                                        3L,
                                        "SHM",
                                        true))
                        .map(f -> new Observed(f, Source.of("test")))
                        .toList();
        var judgement = ShippedRules.load().judge(facts, Set.of());
        LoadedRules all = ShippedRules.loaded();
        all.warm();
        assertEquals(all.judge(facts, Set.of()), judgement);
        assertTrue(judgement.verdicts().stream().anyMatch(v -> v.id().equals("wrong-results")));
    }
}
