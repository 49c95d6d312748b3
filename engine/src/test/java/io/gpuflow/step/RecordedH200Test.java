package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.NcclComm;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ParallelPlan;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.facts.Transport;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.probe.Survey;
import io.gpuflow.tool.RecordedTools;
import io.gpuflow.tool.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps over the shipped recording of two H200. */
class RecordedH200Test {
    private static final Path RECORDING =
            Path.of(System.getProperty("gpuflow.home", "."), "examples/h200x2/recording");

    @TempDir Path folder;
    private Tools tools;
    private final List<Observed> facts = new ArrayList<>();

    @BeforeEach
    void probe() throws Exception {
        tools = RecordedTools.open(RECORDING);
        facts.addAll(new Survey().ask(tools, (stderr, text) -> {}));
    }

    private Action.Outcome run(Action action, String step, Map<String, Object> with)
            throws Exception {
        Path attempt = Files.createDirectories(folder.resolve(step));
        Action.Outcome outcome =
                action.run(
                        new Action.Context(
                                step,
                                tools,
                                with,
                                Map.of(),
                                List.copyOf(facts),
                                attempt,
                                Duration.ofSeconds(120),
                                (stderr, text) -> {}));
        facts.addAll(outcome.facts());
        return outcome;
    }

    @Test
    void tensorParallelismAcrossBothIsACandidate() throws Exception {
        Action.Outcome outcome = run(new ChooseParallelism(), "choose", Map.of());
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        List<ParallelPlan> plans = KnownFacts.of(outcome.facts()).all(ParallelPlan.class);
        assertEquals(
                List.of("ddp", "fsdp2", "tp"), plans.stream().map(ParallelPlan::strategy).toList());
        assertEquals(List.of(List.of(0, 1)), plans.get(2).groups());
    }

    @Test
    void theSmokeTestPassedAndItsLogTellsTheTransport() throws Exception {
        Action.Outcome outcome = run(new DdpSmoke(), "smoke", Map.of());
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        KnownFacts known = KnownFacts.of(outcome.facts());
        SmokeRun run = known.last(SmokeRun.class);
        assertEquals("torchrun", run.launcher());
        assertNull(run.launcherFault());
        assertEquals(2, run.visibleGpus());
        assertEquals("2.28.9", known.last(NcclComm.class).version().replaceAll("\\+.*", ""));
        assertTrue(known.all(Transport.class).stream().allMatch(t -> t.via().equals("P2P/CUMEM")));
        assertEquals("P2P", outcome.out().get("transport"));
    }

    @ParameterizedTest
    @CsvSource({
        "all_reduce, 338.8, 342",
        "all_gather, 288.7, 288",
        "reduce_scatter, 290.5, 288",
        "alltoall, 347.2, 288",
        "sendrecv, 363.9, 288"
    })
    void theBenchmarksReachWhatHealthyMachinesReach(String op, double busbw, double expected)
            throws Exception {
        run(new DdpSmoke(), "smoke", Map.of());
        Action.Outcome outcome = run(new CollectiveBench(), "bench", Map.of("op", op));
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        KnownFacts known = KnownFacts.of(outcome.facts());
        Bench bench = known.last(Bench.class);
        assertEquals(busbw, bench.largeBusbwGbps(), 0.5);
        assertEquals("P2P", bench.transport());
        assertEquals(0, bench.wrong());
        BusCeiling ceiling = known.last(BusCeiling.class);
        assertEquals(450, ceiling.gbps());
        assertEquals(expected, ceiling.expectedGbps());
        assertTrue(bench.largeBusbwGbps() > 0.95 * ceiling.expectedGbps());
    }
}
