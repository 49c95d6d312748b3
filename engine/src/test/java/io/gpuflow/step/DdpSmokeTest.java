package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real ranks over gloo on this machine's PyTorch, well and with planted faults. */
class DdpSmokeTest {
    private static final Pattern PID = Pattern.compile("\"pid\": (\\d+)");

    @TempDir Path folder;
    private final LiveTools live = new LiveTools(null);
    private final List<Long> pids = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        live.close();
        for (long pid : pids) {
            assertTrue(gone(pid), "rank with pid " + pid + " is still alive");
        }
    }

    private static boolean gone(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException e) {
            return true;
        }
    }

    /** Gives up soon after every rank has summed: the faults come after that. */
    private static final class Impatient implements OutputLines {
        private final AtomicInteger summed = new AtomicInteger();
        private volatile long since;

        @Override
        public void line(boolean stderr, String text) {
            if (text.matches("rank \\d: sum") && summed.incrementAndGet() == 2) {
                since = System.nanoTime();
            }
        }

        @Override
        public String giveUp() {
            boolean enough = since != 0 && System.nanoTime() - since > 2_000_000_000L;
            return enough ? "did not go on after the sum" : null;
        }
    }

    /** Notes the pids that ranks report. */
    private Tools noting(Tools tools) {
        return new Passing(tools) {
            @Override
            public ToolResult run(ToolCall call, OutputLines lines) {
                ToolResult result = tools.run(call, lines);
                Matcher pid = PID.matcher(result.stdout());
                while (pid.find()) {
                    pids.add(Long.valueOf(pid.group(1)));
                }
                return result;
            }
        };
    }

    private Action.Outcome run(Function<Tools, Tools> plant, boolean giveUp) throws Exception {
        return run(plant, giveUp, new NoTorchrun(live));
    }

    private Action.Outcome run(Function<Tools, Tools> plant, boolean giveUp, Tools machine)
            throws Exception {
        OutputLines lines = giveUp ? new Impatient() : (stderr, text) -> {};
        List<Observed> facts = List.of(new Observed(RealTorch.onCpu(), Source.of("test")));
        return new DdpSmoke()
                .run(
                        new Action.Context(
                                "smoke",
                                plant.apply(noting(machine)),
                                Map.of(),
                                Map.of(),
                                facts,
                                folder,
                                Duration.ofSeconds(120),
                                lines));
    }

    private static <T extends Fact> T last(Action.Outcome outcome, Class<T> type) {
        T last = KnownFacts.of(outcome.facts()).last(type);
        assertNotNull(last, () -> type + " in " + outcome.facts());
        return last;
    }

    private static SmokeRank rank(Action.Outcome outcome, int rank) {
        return KnownFacts.of(outcome.facts()).all(SmokeRank.class).stream()
                .filter(r -> r.rank() == rank)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void twoHealthyRanksPassAndSayThatTheyRanOnTheCpu() throws Exception {
        Action.Outcome outcome = run(tools -> tools, false, live);
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        assertTrue(outcome.reason().contains("sees no GPU"), outcome.reason());
        assertTrue(outcome.reason().contains("says nothing about GPUs"), outcome.reason());
        SmokeRun run = last(outcome, SmokeRun.class);
        assertEquals("done", run.stage());
        assertEquals(0, run.launcherExit());
        assertEquals(0, run.leftProcesses());
        assertEquals(2, pids.stream().distinct().count());
        for (int r = 0; r < 2; r++) {
            assertEquals("done", rank(outcome, r).stage());
            assertEquals(1, rank(outcome, r).sum());
            assertTrue(rank(outcome, r).sumRight());
        }
        boolean own = run.launcher().equals("gpuflow");
        assertEquals(own, run.launcherFault() != null);
        assertEquals(own, outcome.reason().contains("started without torchrun"));
    }

    @Test
    void aRankThatRaisesIsNamedNotTheOneThatWaitedForIt() throws Exception {
        Action.Outcome outcome =
                run(tools -> Planted.inTraining(tools, "raise ValueError('planted')"), false);
        assertEquals(State.FAILED, outcome.state());
        assertTrue(outcome.reason().startsWith("rank 1: ValueError: planted"), outcome.reason());
        SmokeRun run = last(outcome, SmokeRun.class);
        assertFalse(run.finished());
        assertFalse(run.hung());
        assertEquals("sum", run.stage());
    }

    @Test
    void aRankThatSleepsIsFoundByItsStack() throws Exception {
        Action.Outcome outcome = run(tools -> Planted.inTraining(tools, "time.sleep(1000)"), true);
        assertEquals(State.FAILED, outcome.state());
        SmokeRun run = last(outcome, SmokeRun.class);
        assertTrue(run.hung());
        assertEquals("sum", run.stage());
        assertTrue(rank(outcome, 1).where().startsWith("gpuflow_smoke.py:"), outcome.reason());
        assertTrue(rank(outcome, 1).where().endsWith(" in train"), outcome.reason());
        String line = rank(outcome, 1).where().split(":|( in )")[1];
        List<String> script = Files.readAllLines(folder.resolve(Scripts.SMOKE));
        assertTrue(script.get(Integer.parseInt(line) - 1).contains("sleep"), line);
        assertEquals("S", rank(outcome, 1).processState());
    }

    @Test
    void aStoppedRankIsToldByItsState() throws Exception {
        Action.Outcome outcome =
                run(
                        tools -> Planted.inTraining(tools, "os.kill(os.getpid(), signal.SIGSTOP)"),
                        true);
        assertEquals(State.FAILED, outcome.state());
        assertEquals("T", rank(outcome, 1).processState());
        assertTrue(outcome.reason().contains("rank 1 is stopped (state T)"), outcome.reason());
        List<String> kinds =
                KnownFacts.of(outcome.facts()).all(EvidenceFile.class).stream()
                        .map(EvidenceFile::kind)
                        .distinct()
                        .sorted()
                        .toList();
        assertEquals(List.of("proc", "stack"), kinds);
    }

    @Test
    void aRankThatHasEndedWhileOthersWaitIsTold() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                new Planted(
                                        tools,
                                        Scripts.SMOKE,
                                        "    from torch.nn.parallel",
                                        "    os._exit(0) if r.rank() == 1 else time.sleep(1000)\n"
                                                + "    from torch.nn.parallel"),
                        true);
        assertTrue(last(outcome, SmokeRun.class).hung(), outcome.reason());
        assertEquals("gone", rank(outcome, 1).processState());
        assertTrue(outcome.reason().contains("rank 1 has ended"), outcome.reason());
    }

    @Test
    void aRankThatEndsEarlyWithStatus0IsNotASuccess() throws Exception {
        Action.Outcome outcome = run(tools -> Planted.inTraining(tools, "os._exit(0)"), true);
        assertEquals(State.FAILED, outcome.state());
        assertFalse(last(outcome, SmokeRun.class).finished());
        assertEquals("sum", rank(outcome, 1).stage());
        if (rank(outcome, 1).exit()
                != null) { // torchrun does not tell the status of a rank that exits 0
            assertTrue(outcome.reason().startsWith("rank 1 exited 0 before"), outcome.reason());
        }
    }

    /** As a user of a PyTorch whose torchrun needs these arguments would start it. */
    private static Tools torchrunWorks(Tools tools) {
        return new Passing(tools) {
            @Override
            public ToolResult run(ToolCall call, OutputLines lines) {
                List<String> argv = new ArrayList<>(call.argv());
                int at = argv.indexOf("--standalone");
                if (at >= 0) {
                    argv.addAll(at, List.of("-r", "9:1", "-t", "9:1"));
                }
                return tools.run(
                        new ToolCall(argv, call.env(), call.folder(), call.limit(), call.keeps()),
                        lines);
            }
        };
    }

    @Test
    void torchrunTellsHowARankEnded() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                Planted.inTraining(
                                        torchrunWorks(tools),
                                        "os.kill(os.getpid(), signal.SIGKILL)"),
                        false,
                        live);
        SmokeRun run = last(outcome, SmokeRun.class);
        Assumptions.assumeTrue(
                run.launcher().equals("torchrun"),
                () -> "skipped: torchrun does not work on this machine: " + run.launcherFault());
        assertTrue(outcome.reason().startsWith("rank 1 was ended by signal 9"), outcome.reason());
        assertEquals(-9, rank(outcome, 1).exit());
    }

    @Test
    void twoHealthyRanksPassUnderTorchrun() throws Exception {
        Action.Outcome outcome = run(DdpSmokeTest::torchrunWorks, false, live);
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        assertEquals(0, last(outcome, SmokeRun.class).leftProcesses());
    }

    @Test
    void aRankThatIsKilledIsNamed() throws Exception {
        Action.Outcome outcome =
                run(
                        tools -> Planted.inTraining(tools, "os.kill(os.getpid(), signal.SIGKILL)"),
                        false);
        assertEquals(State.FAILED, outcome.state());
        assertTrue(outcome.reason().startsWith("rank 1 was ended by signal 9"), outcome.reason());
        assertEquals(-9, rank(outcome, 1).exit());
    }

    @Test
    void aWrongSumIsAFailure() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                new Planted(
                                        tools,
                                        Scripts.SMOKE,
                                        "torch.tensor([dist.get_rank()],",
                                        "torch.tensor([dist.get_rank() + 5 * r.rank()],"),
                        false);
        assertEquals(State.FAILED, outcome.state());
        assertFalse(rank(outcome, 0).sumRight());
        assertTrue(outcome.reason().contains("is 6, should be 1"), outcome.reason());
    }

    @Test
    void aCorruptedBufferIsAFailure() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                new Planted(
                                        tools,
                                        Scripts.SMOKE,
                                        "    wrong = int(",
                                        "    data[7] += r.rank()\n    wrong = int("),
                        false);
        assertEquals(State.FAILED, outcome.state());
        assertTrue(outcome.reason().contains("corrupted"), outcome.reason());
    }

    @Test
    void twoRanksOnOneDeviceAreAFailureEvenWhenAllGoesWell() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                new Planted(
                                        tools,
                                        Scripts.SMOKE,
                                        "device=index, bus_id=bus_id,",
                                        "device=0, bus_id=\"0000:1b:00.0\","),
                        false);
        assertEquals(State.FAILED, outcome.state());
        assertTrue(
                outcome.reason().contains("uses the same GPU 0000:1b:00.0 as rank 0"),
                outcome.reason());
    }

    @Test
    void aProcessThatARankLeavesBehindIsEndedAndTold() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                Planted.inTraining(
                                        tools,
                                        "p = subprocess.Popen(['sleep', '1000'], start_new_session=True,"
                                                + " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
                                                + "r.say('child', pid=p.pid)"),
                        false);
        assertEquals(1, last(outcome, SmokeRun.class).leftProcesses());
        assertEquals(State.FAILED, outcome.state(), outcome.reason());
    }

    @Test
    void aScriptThatCannotStartSaysNothingAboutCollectives() throws Exception {
        Action.Outcome outcome =
                run(
                        tools ->
                                new Planted(
                                        tools,
                                        "gpuflow_rank.py",
                                        "import ctypes\n",
                                        "import no_such_module\n"),
                        false);
        assertEquals(State.BROKEN, outcome.state());
        assertTrue(outcome.reason().contains("no_such_module"), outcome.reason());
    }

    @Test
    void withoutTorchItIsUnknown() throws Exception {
        Observed why =
                new Observed(new Unknown("Torch", "no Python imports torch"), Source.of("x"));
        Action.Context context =
                new Action.Context(
                        "smoke",
                        live,
                        Map.of(),
                        Map.of(),
                        List.of(why),
                        folder,
                        Duration.ofSeconds(5),
                        (stderr, text) -> {});
        Action.Outcome outcome = new DdpSmoke().run(context);
        assertEquals(State.BROKEN, outcome.state());
        assertTrue(outcome.reason().contains("no Python imports torch"), outcome.reason());
        assertNotNull(KnownFacts.of(outcome.facts()).whyUnknown(SmokeRun.class));
        assertNotNull(KnownFacts.of(outcome.facts()).whyUnknown(SmokeRank.class));
    }
}
