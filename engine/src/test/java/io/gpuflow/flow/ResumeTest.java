package io.gpuflow.flow;

import static io.gpuflow.flow.TestRun.observed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumeTest {
    @TempDir Path dir;

    private final List<Observed> facts = new ArrayList<>(List.of(host("a")));
    private final Map<String, String> again = new HashMap<>();

    private TestRun run = new TestRun(Path.of("unused"));

    private TestRun test() {
        run = new TestRun(dir.resolve("run"));
        run.action("probe", c -> outcome(State.PASSED, facts, Map.of("gpus", List.of(0, 1))));
        run.action("work", State.PASSED, "busbw", 339.5);
        return run;
    }

    private Ledger go(Made... steps) {
        run.began.clear();
        again.clear();
        try (Runner runner =
                run.open(
                        Made.flow(steps),
                        new RunEventsAdapter() {
                            @Override
                            public void stepStarted(String step, String why) {
                                again.put(step, why);
                            }
                        })) {
            Ledger ledger = runner.run();
            runner.ended(0);
            return ledger;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Made probe() {
        return Made.uses("probe", "probe");
    }

    private static Made bench() {
        return Made.uses("bench", "work").needs("probe").load();
    }

    @Test
    void whatIsUnchangedIsReused() {
        test();
        go(probe(), bench());
        Ledger ledger =
                go(
                        probe(),
                        bench(),
                        Made.uses("more", "work")
                                .needs("bench")
                                .when(
                                        "steps.bench.out.busbw == 339.5 && size(steps.probe.out.gpus) == 2"));
        assertEquals(List.of("more"), run.began);
        assertEquals("reused", ledger.of("bench").state().word());
        assertTrue(
                ledger.of("bench")
                        .reason()
                        .startsWith("nothing it rests on changed since it ended at 2026-11-29"),
                ledger.of("bench").reason());
        assertEquals("passed", ledger.of("more").state().word());
        go(probe(), bench());
        assertEquals(List.of(), run.began, "what was reused is reused again");
    }

    @Test
    void timeoutsAndRetriesAreNotInTheKey() {
        test();
        go(probe(), bench());
        go(probe(), bench().timeout(Duration.ofHours(1)).retry(3, true));
        assertEquals(List.of(), run.began);
    }

    @Test
    void aChangedTextIsNamed() {
        test();
        go(probe(), bench());
        go(probe(), bench().with("op", "all_gather"));
        assertEquals(List.of("bench"), run.began);
        assertEquals(Map.of("bench", "its text changed; input with.op changed"), again);
    }

    @Test
    void aChangedInputIsNamed() {
        test();
        run.inputs = Map.of("op", "all_reduce");
        go(probe(), bench().with("op", "${{ inputs.op }}"));
        run.inputs = Map.of("op", "all_gather");
        go(probe(), bench().with("op", "${{ inputs.op }}"));
        assertEquals(Map.of("bench", "input with.op changed"), again);
    }

    @Test
    void aChangedEnvironmentIsNamed() {
        test();
        go(probe(), bench());
        ((FakeTools) run.tools).environment.put("NCCL_P2P_DISABLE", "1");
        ((FakeTools) run.tools).environment.put("SSH_TTY", "/dev/pts/4");
        go(probe(), bench());
        assertEquals(
                Map.of(
                        "probe", "input environment.NCCL_P2P_DISABLE changed",
                        "bench", "input environment.NCCL_P2P_DISABLE changed"),
                again);
    }

    @Test
    void aNewDriverOrBootIsNamed() {
        test();
        FakeTools tools = (FakeTools) run.tools;
        tools.files.put("/sys/module/nvidia/version", "550.54.14\n");
        go(probe());
        tools.files.put("/sys/module/nvidia/version", "570.86.15\n");
        run.version = "0.2.0";
        go(probe());
        assertEquals(
                Map.of(
                        "probe",
                        "NVIDIA driver changed from 550.54.14 to 570.86.15; gpuflow changed from"
                                + " 0.1.0 to 0.2.0"),
                again);
    }

    @Test
    void changedFactsOfAnEarlierStepAreNamedByType() {
        test();
        go(probe(), bench());
        facts.set(0, host("b"));
        // Another text of the probe makes it run again and bring other facts.
        go(probe().with("only", "x"), bench());
        assertEquals("facts changed: Host", again.get("bench"));
    }

    @Test
    void readingsThatChangeByThemselvesAreNoReason() {
        test();
        facts.add(health(40));
        go(probe(), bench());
        facts.set(1, health(70));
        go(probe().with("only", "x"), bench());
        assertEquals(List.of("probe"), run.began);
    }

    @Test
    void whatDidNotPassRunsAgain() {
        test();
        run.action("work", State.FAILED);
        go(probe(), bench());
        go(probe(), bench());
        assertEquals(Map.of("bench", "it failed"), again);
        run.action("work", State.UNKNOWN);
        go(probe(), bench());
        go(probe(), bench());
        assertEquals(Map.of("bench", "it could not tell"), again);
    }

    @Test
    void aStepThatWasRunningWhenWeDiedRunsAgain() throws IOException {
        test();
        go(probe(), bench());
        Path journal = dir.resolve("run/journal.jsonl");
        List<String> lines = Files.readAllLines(journal);
        int cut = 0;
        while (!lines.get(cut).contains("attempt-started") || !lines.get(cut).contains("bench")) {
            cut++;
        }
        Files.write(journal, lines.subList(0, cut + 1));
        Files.writeString(journal, "{\"at\":\"2026-11-29T1", StandardOpenOption.APPEND);
        Ledger ledger = go(probe(), bench());
        assertEquals(Map.of("bench", "it was running when the run ended"), again);
        assertEquals("steps/bench/2", ledger.of("bench").attempts().get(0).started().folder());
        assertEquals(1, ledger.problems().size());
    }

    @Test
    void factsThatWereTamperedWithAreNotReused() throws IOException {
        test();
        go(probe());
        Files.writeString(dir.resolve("run/steps/probe/1.facts.jsonl"), "\n");
        go(probe());
        assertTrue(again.get("probe").startsWith("its facts can't be read back"), again.toString());
    }

    @Test
    void aStepWhoseRecordHasAHoleRunsAgain() throws IOException {
        test();
        go(probe());
        Path journal = dir.resolve("run/journal.jsonl");
        List<String> lines = new ArrayList<>(Files.readAllLines(journal));
        lines.removeIf(line -> line.contains("attempt-ended"));
        Files.write(journal, lines);
        go(probe());
        assertEquals(Map.of("probe", "its record is not complete"), again);
    }

    @Test
    void aDamagedJournalCostsAtMostRunningAgain() throws IOException {
        test();
        Made bench = bench().matrix("op", List.of("x", "y")).with("op", "${{ matrix.op }}");
        go(probe(), bench);
        Path journal = dir.resolve("run/journal.jsonl");
        byte[] whole = Files.readAllBytes(journal);
        java.util.Random random = new java.util.Random(20261129);
        for (int round = 0; round < 40; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(6); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(128);
            }
            Files.write(journal, java.util.Arrays.copyOf(damaged, random.nextInt(damaged.length)));
            Ledger ledger = go(probe(), bench);
            for (String step : List.of("probe", "bench")) {
                assertTrue(ledger.of(step).state().lets(), step + " in round " + round);
            }
        }
    }

    @Test
    void aReusedStepIsJudgedByTheRulesOfToday() {
        test();
        go(probe().check("hardware"));
        run.rules =
                (all, areas) ->
                        TestRun.judgement(
                                List.of(TestRun.verdict("new", Verdict.Level.FAIL, Map.of())));
        Ledger ledger = go(probe().check("hardware"));
        assertEquals(List.of(), run.began);
        assertEquals("failed", ledger.of("probe").state().word());
        assertEquals("new says so", ledger.of("probe").reason());
    }

    @Test
    void whatAnEarlierRunSaidOfAStepIsNotTakenForThisOne() throws IOException {
        test();
        run.action("work", State.FAILED);
        go(probe(), bench());
        try (Runner runner =
                run.open(
                        Made.flow(probe(), bench()),
                        new RunEventsAdapter() {
                            @Override
                            public void stepEnded(
                                    String step, String word, String reason, double seconds) {
                                throw new IllegalStateException("stop here");
                            }
                        })) {
            org.junit.jupiter.api.Assertions.assertThrows(IllegalStateException.class, runner::run);
        }
        Ledger ledger = Ledger.read(dir.resolve("run/journal.jsonl"));
        assertEquals(List.of("probe"), ledger.steps().stream().map(Ledger.StepLog::id).toList());
        assertTrue(ledger.of("bench").earlier());
        assertEquals(State.FAILED, ledger.of("bench").state());
    }

    @Test
    void everyPointOfAMatrixIsReused() {
        test();
        Made bench = bench().matrix("op", List.of("x", "y")).with("op", "${{ matrix.op }}");
        go(probe(), bench);
        Made next = Made.uses("next", "work").needs("bench").when("size(steps.bench.out) == 2");
        Ledger ledger = go(probe(), bench, next);
        assertEquals(List.of("next"), run.began);
        assertEquals("passed", ledger.of("next").state().word());
    }

    private static Observed host(String name) {
        return observed(new Host(name, null, null, null, null, null, null));
    }

    private static Observed health(int celsius) {
        return observed(
                new GpuHealth(
                        0, celsius, null, null, null, null, null, null, null, List.of(), null,
                        null));
    }

    private static Action.Outcome outcome(
            State state, List<Observed> facts, Map<String, Object> out) {
        return new Action.Outcome(state, "told", List.copyOf(facts), out);
    }
}
