package io.gpuflow.flow;

import static io.gpuflow.flow.TestRun.observed;
import static io.gpuflow.flow.TestRun.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Pattern;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.facts.Verdict;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerTest {
    @TempDir Path dir;

    private TestRun test() {
        return new TestRun(dir.resolve("run"));
    }

    /** A step's state is the worse of its own outcome and its findings. */
    @ParameterizedTest
    @CsvSource({
        "PASSED,  ,     passed",
        "PASSED,  INFO, passed",
        "PASSED,  WARN, warned",
        "PASSED,  FAIL, failed",
        "FAILED,  ,     failed",
        "FAILED,  WARN, failed",
        "BROKEN,  ,     broken",
        "BROKEN,  WARN, broken",
        "BROKEN,  FAIL, failed",
        "UNKNOWN, ,     unknown",
        "UNKNOWN, WARN, unknown",
        "UNKNOWN, FAIL, failed",
    })
    void theStateIsTheWorseOfOutcomeAndFindings(State own, Verdict.Level found, String state) {
        TestRun run = test().action("a", own);
        run.rules =
                (facts, areas) ->
                        TestRun.judgement(
                                found == null
                                        ? List.of()
                                        : List.of(TestRun.verdict("rule", found, Map.of())));
        Ledger ledger = run.run(Made.flow(Made.uses("s", "a").check("bench")));
        assertEquals(state, ledger.of("s").state().word());
    }

    /** What a step becomes by the state of the one it needs, or only comes after. */
    @ParameterizedTest
    @CsvSource({
        "PASSED,  passed,  passed",
        "FAILED,  blocked, passed",
        "BROKEN,  blocked, passed",
        "UNKNOWN, blocked, passed",
    })
    void needsLooksAtTheResultAndAfterOnlyAtTheOrder(State first, String needs, String after) {
        TestRun run = test().action("a", first).action("b", State.PASSED);
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("one", "a"),
                                Made.uses("needs", "b").needs("one"),
                                Made.uses("after", "b").after("one")));
        assertEquals(needs, ledger.of("needs").state().word());
        assertEquals(after, ledger.of("after").state().word());
        if (needs.equals("blocked")) {
            assertEquals(
                    "one "
                            + (first == State.FAILED ? "" : "is ")
                            + first.word()
                            + ": a "
                            + first.word(),
                    ledger.of("needs").reason());
        }
    }

    @Test
    void aSkippedStepLetsOthersRunAndABlockedOneDoesNot() {
        TestRun run =
                test().action("a", State.PASSED, "gpus", List.of(0)).action("f", State.FAILED);
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("probe", "a"),
                                Made.uses("bench", "a")
                                        .needs("probe")
                                        .when("size(steps.probe.out.gpus) > 1"),
                                Made.uses("next", "a").needs("bench"),
                                Made.uses("bad", "f"),
                                Made.uses("blocked", "a").needs("bad"),
                                Made.uses("last", "a").needs("blocked")));
        assertEquals(
                "skipped: size(steps.probe.out.gpus) is 1, wanted > 1", state(ledger, "bench"));
        assertEquals("passed", ledger.of("next").state().word());
        assertEquals("blocked: bad failed: f failed", state(ledger, "blocked"));
        assertEquals("blocked: blocked is blocked", state(ledger, "last"));
    }

    @Test
    void aConditionThatCannotBeToldIsUnknownNotFalse() {
        TestRun run =
                test().action(
                                "a",
                                State.PASSED,
                                "gpus",
                                new Value.Unknown("nvidia-smi is not installed"));
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("probe", "a"),
                                Made.uses("bench", "a")
                                        .after("probe")
                                        .when("size(steps.probe.out.gpus) > 1")));
        assertEquals("unknown", ledger.of("bench").state().word());
        assertTrue(
                ledger.of("bench").reason().contains("nvidia-smi is not installed"),
                ledger.of("bench").reason());
        assertEquals(List.of("probe"), run.began);
    }

    @Test
    void aStepThatChangesTheMachineIsRefusedUnlessAllowed() {
        TestRun run = test().action("a", State.PASSED);
        Workflow flow = Made.flow(Made.uses("fix", "a").change());
        assertEquals(
                "blocked: it changes the machine; --allow-change lets it",
                state(run.run(flow), "fix"));
        assertEquals(List.of(), run.began);
        run.allowChange = true;
        assertEquals("passed: a passed", state(run.run(flow), "fix"));
    }

    @Test
    void rulesThatCouldNotBeToldAreCountedAndChangeNoState() {
        TestRun run = test().action("a", State.PASSED);
        run.rules = (facts, areas) -> TestRun.untold("xid", "KernelEvent", "dmesg: not root");
        Ledger ledger = run.run(Made.flow(Made.uses("probe", "a").check("hardware")));
        assertEquals("passed: a passed (1 check unknown)", state(ledger, "probe"));
        assertEquals(1, ledger.judgement().untold().size());
    }

    @Test
    void rulesThatFailNeverMakeAStepPass() {
        TestRun run = test().action("a", State.PASSED);
        run.rules =
                (facts, areas) -> {
                    throw new IllegalStateException("no such model");
                };
        Ledger ledger = run.run(Made.flow(Made.uses("probe", "a").check("hardware")));
        assertEquals("broken", ledger.of("probe").state().word());
        assertTrue(state(ledger, "probe").contains("no such model"), state(ledger, "probe"));
    }

    @Test
    void rulesSeeAllFactsSoFar() {
        TestRun run = test();
        run.action("a", c -> told("one")).action("b", c -> told("two"));
        List<Integer> counts = new ArrayList<>();
        run.rules =
                (facts, areas) -> {
                    counts.add(facts.size());
                    return TestRun.judgement(List.of());
                };
        run.run(Made.flow(Made.uses("x", "a"), Made.uses("y", "b").needs("x").check("hardware")));
        assertEquals(List.of(2, 2), counts, "the step's own judgement and the run's");
    }

    @Test
    void aFactIsACondition() {
        TestRun run = test();
        run.action("a", c -> told("lab-7")).action("b", State.PASSED);
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("x", "a"),
                                Made.uses("y", "b")
                                        .after("x")
                                        .when("facts.host.name.startsWith('lab-')"),
                                Made.uses("z", "b")
                                        .after("x")
                                        .when("facts.topology.gpu_count > 1")));
        assertEquals("passed", ledger.of("y").state().word());
        assertEquals("unknown", ledger.of("z").state().word());
    }

    @Test
    void readStepsRunSideBySide() {
        CountDownLatch both = new CountDownLatch(2);
        Action meets =
                c -> {
                    both.countDown();
                    boolean met = both.await(20, TimeUnit.SECONDS);
                    return new Action.Outcome(
                            met ? State.PASSED : State.FAILED, "met", List.of(), Map.of());
                };
        Ledger ledger =
                test().action("a", meets).run(Made.flow(Made.uses("x", "a"), Made.uses("y", "a")));
        assertEquals("passed: met", state(ledger, "x"));
        assertEquals("passed: met", state(ledger, "y"));
    }

    @Test
    void aMatrixGivesAListWithItsCoordinates() {
        TestRun run =
                test().action(
                                "a",
                                c ->
                                        new Action.Outcome(
                                                State.PASSED,
                                                "ran",
                                                List.of(),
                                                Map.of("busbw", c.with().get("op"))))
                        .action("b", State.PASSED);
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("bench", "a")
                                        .matrix("op", List.of("all_reduce", "all_gather"))
                                        .with("op", "${{ matrix.op }}")
                                        .load(),
                                Made.uses("next", "b")
                                        .needs("bench")
                                        .when(
                                                "steps.bench.out.exists(r, r.matrix.op =="
                                                        + " 'all_gather' && r.busbw == 'all_gather')")));
        assertEquals("passed: op all_reduce: ran; op all_gather: ran", state(ledger, "bench"));
        assertEquals("passed", ledger.of("next").state().word());
        assertEquals(
                List.of("steps/bench/1-all_reduce", "steps/bench/2-all_gather"),
                ledger.of("bench").attempts().stream().map(a -> a.started().folder()).toList());
        assertTrue(Files.isDirectory(dir.resolve("run/steps/bench/2-all_gather")));
    }

    @Test
    void theWorstPointOfAMatrixCounts() {
        TestRun run =
                test().action(
                                "a",
                                c ->
                                        new Action.Outcome(
                                                State.valueOf(c.with().get("s").toString()),
                                                "why",
                                                List.of(),
                                                Map.of()));
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("m", "a")
                                        .matrix("s", List.of("PASSED", "BROKEN", "FAILED"))
                                        .with("s", "${{ matrix.s }}")));
        assertEquals("failed: s FAILED: why", state(ledger, "m"));
    }

    @Test
    void outputsAreComputedFromWhatTheWorkBrought() {
        TestRun run = test().action("a", State.PASSED, "n", 3).action("b", State.PASSED);
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("x", "a").output("twice", "${{ out.n * 2 }}"),
                                Made.uses("y", "b").needs("x").when("steps.x.out.twice == 6")));
        assertEquals("passed", ledger.of("y").state().word());
    }

    @Test
    void aCommandIsJudgedByItsExit() {
        TestRun run = test();
        run.tools =
                new FakeTools(
                        call ->
                                switch (call.argv().get(0)) {
                                    case "good" -> FakeTools.exited(call, 0, "fine\n", "");
                                    case "bad" -> FakeTools.exited(call, 3, "x\n", "no disk\n");
                                    case "killed" -> FakeTools.exited(call, 137, "", "");
                                    case "gone" ->
                                            FakeTools.result(
                                                    call,
                                                    ToolResult.Outcome.MISSING,
                                                    -1,
                                                    "",
                                                    "",
                                                    "gone is not installed");
                                    case "slow" ->
                                            FakeTools.result(
                                                    call,
                                                    ToolResult.Outcome.TIMED_OUT,
                                                    -1,
                                                    "size 8\nsize 16\n",
                                                    "",
                                                    "time limit");
                                    default ->
                                            FakeTools.result(
                                                    call,
                                                    ToolResult.Outcome.NOT_RECORDED,
                                                    -1,
                                                    "",
                                                    "",
                                                    "the recording has no answer to: asked");
                                });
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.cmd("good", "good"),
                                Made.cmd("bad", "bad", "-x"),
                                Made.cmd("killed", "killed"),
                                Made.cmd("gone", "gone"),
                                Made.cmd("slow", "slow", "-n", "2").timeout(Duration.ofMinutes(10)),
                                Made.cmd("asked", "asked")));
        assertEquals("passed: exit 0", state(ledger, "good"));
        assertEquals("failed: exit 3: no disk", state(ledger, "bad"));
        assertEquals("failed: ended by signal 9 (exit 137)", state(ledger, "killed"));
        assertEquals("broken: gone is not installed", state(ledger, "gone"));
        assertEquals(
                "broken: timed out after 10 min: slow -n 2; last line: size 16",
                state(ledger, "slow"));
        assertEquals("unknown: the recording has no answer to: asked", state(ledger, "asked"));
    }

    @Test
    void aScriptSeesValuesOnlyThroughItsEnvironment() {
        TestRun run = test();
        FakeTools tools = new FakeTools(call -> FakeTools.exited(call, 0, "", ""));
        run.tools = tools;
        run.inputs = Map.of("name", "; rm -rf /");
        run.run(
                Made.flow(
                        Made.sh("s", "echo \"$NAME\" ${{ inputs.name }}")
                                .env("NAME", "${{ inputs.name }}")
                                .env("GONE", null)));
        ToolCall call = tools.calls.get(0);
        assertEquals(List.of("/bin/sh", "-c", "echo \"$NAME\" ${{ inputs.name }}"), call.argv());
        assertEquals("; rm -rf /", call.env().get("NAME"));
        assertTrue(call.env().containsKey("GONE"));
        assertNull(call.env().get("GONE"));
    }

    @Test
    void patternsAndPointersTakeOutputsFromAUsersTool() {
        TestRun run = test().action("b", State.PASSED);
        run.tools =
                new FakeTools(
                        call ->
                                FakeTools.exited(
                                        call,
                                        0,
                                        call.argv().get(0).equals("text")
                                                ? "size 8\nbusbw = 339.5 GB/s ok\n"
                                                : "{\"a\":{\"b\":[1,2]}}",
                                        ""));
        Extract text =
                new Extract(
                        List.of(
                                Pattern.compile("busbw = (?P<busbw>[0-9.]+) GB/s (?P<state>\\w+)"),
                                Pattern.compile("size (?P<size>\\d+)"),
                                Pattern.compile("(?P<gone>nothing)")),
                        Map.of(
                                "busbw",
                                Extract.ValueType.DOUBLE,
                                "size",
                                Extract.ValueType.INT,
                                "state",
                                Extract.ValueType.BOOL),
                        Map.of());
        Extract json = new Extract(List.of(), Map.of(), Map.of("b", "/a/b"));
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.cmd("t", "text").reading(null, text),
                                Made.cmd("j", "json").reading(null, json),
                                Made.uses("known", "b")
                                        .after("t", "j")
                                        .when(
                                                "steps.t.out.busbw > 339 && steps.t.out.size == 8 &&"
                                                        + " steps.t.out.state && size(steps.j.out.b) =="
                                                        + " 2"),
                                Made.uses("unknown", "b")
                                        .after("t")
                                        .when("steps.t.out.gone == 'x'"),
                                Made.cmd("bad", "text").reading(null, json)));
        assertEquals("passed: busbw 339.5, state true, size 8", state(ledger, "t"));
        assertEquals("passed", ledger.of("known").state().word());
        assertEquals("unknown", ledger.of("unknown").state().word());
        assertTrue(ledger.of("unknown").reason().contains("no line of its output matches"));
        assertEquals("broken", ledger.of("bad").state().word());
        assertTrue(
                state(ledger, "bad").startsWith("broken: its output could not be read: not JSON"));
    }

    @Test
    void retriesByKindAndKeepsTheHistory() {
        TestRun run = test();
        int[] calls = {0};
        run.tools =
                new FakeTools(
                        call ->
                                switch (++calls[0]) {
                                    case 1 -> FakeTools.exited(call, 75, "", "try again");
                                    case 2 ->
                                            FakeTools.result(
                                                    call,
                                                    ToolResult.Outcome.TIMED_OUT,
                                                    -1,
                                                    "",
                                                    "",
                                                    "limit");
                                    default -> FakeTools.exited(call, 0, "", "");
                                });
        Ledger ledger = run.run(Made.flow(Made.cmd("s", "tool").retry(3, true, 75)));
        assertEquals("passed: exit 0", state(ledger, "s"));
        assertEquals(
                List.of("exit 75", "timeout", "null"),
                ledger.of("s").attempts().stream()
                        .map(a -> String.valueOf(a.ended().failure()))
                        .toList());
    }

    @Test
    void otherFailuresAreNotRetriedAndRetriesEnd() {
        TestRun run = test();
        FakeTools tools = new FakeTools(call -> FakeTools.exited(call, 3, "", "no"));
        run.tools = tools;
        run.run(Made.flow(Made.cmd("s", "tool").retry(3, true, 75)));
        assertEquals(1, tools.calls.size());
        run = new TestRun(dir.resolve("second"));
        tools.calls.clear();
        run.tools = tools;
        Ledger ledger = run.run(Made.flow(Made.cmd("s", "tool").retry(2, false, 3)));
        assertEquals(3, tools.calls.size());
        assertEquals("failed: exit 3: no", state(ledger, "s"));
    }

    @Test
    void whatAStepSetsAndHowItsToolFailedAreFacts() {
        TestRun run = test();
        run.tools = new FakeTools(call -> FakeTools.exited(call, 3, "", "no"));
        List<Observed> seen = new ArrayList<>();
        run.rules =
                (facts, areas) -> {
                    seen.addAll(facts);
                    return TestRun.judgement(List.of());
                };
        run.run(
                Made.flow(
                        Made.cmd("s", "tool", "-x")
                                .env("NCCL_P2P_DISABLE", "1")
                                .env("OTHER", "1")
                                .check("bench")));
        assertEquals(
                List.of(
                        new EnvVar("NCCL_P2P_DISABLE", "1", "step s"),
                        new ToolFailure("s", "tool -x", "exit", 3, "no")),
                seen.stream().map(Observed::fact).limit(2).toList());
        assertEquals("flow.yaml:3", seen.get(0).source().toString());
    }

    @Test
    void anActionThatThrowsIsBrokenAndLeavesItsTrace() throws IOException {
        TestRun run =
                test().action(
                                "a",
                                c -> {
                                    throw new IllegalStateException("oops");
                                });
        Ledger ledger = run.run(Made.flow(Made.uses("s", "a")));
        assertTrue(
                state(ledger, "s").startsWith("broken: gpuflow itself failed: "),
                state(ledger, "s"));
        String trace = Files.readString(dir.resolve("run/steps/s/1/internal-error.txt"));
        assertTrue(trace.contains("oops"), trace);
    }

    @Test
    void secretsAreMaskedInTheJournalAndInTheLedger() throws IOException {
        TestRun run = test();
        run.secrets = new Secrets(List.of("hunter22"));
        run.inputs = Map.of("token", "hunter22");
        run.tools = new FakeTools(call -> FakeTools.exited(call, 3, "", "bad token hunter22"));
        Ledger ledger =
                run.run(Made.flow(Made.sh("s", "login").env("TORCH_TOKEN", "${{ inputs.token }}")));
        assertEquals("failed: exit 3: bad token ***", state(ledger, "s"));
        try (var files = Files.walk(dir.resolve("run"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(Files.readString(file).contains("hunter22"), file.toString());
            }
        }
    }

    @Test
    void aDryRunRunsReadsAndSaysWhatTheRestWouldDo() {
        TestRun run = test().action("a", State.PASSED, "gpus", List.of(0, 1));
        run.dryRun = true;
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("probe", "a"),
                                Made.cmd(
                                                "smoke",
                                                "torchrun",
                                                "-n",
                                                "${{ size(steps.probe.out.gpus) }}")
                                        .needs("probe")
                                        .timeout(Duration.ofSeconds(120))
                                        .load(),
                                Made.uses("single", "a")
                                        .when("size(steps.probe.out.gpus) == 1")
                                        .load(),
                                Made.uses("bench", "a")
                                        .needs("smoke")
                                        .when("steps.smoke.out.busbw > 1.0")
                                        .load(),
                                Made.uses("big", "a")
                                        .needs("smoke")
                                        .matrix("op", List.of("x", "y"))
                                        .experiment("p2p-off", "NCCL_P2P_DISABLE", "1")
                                        .load(),
                                Made.uses("fix", "a").change(),
                                Made.uses("diagnose", "a").after("smoke"),
                                Made.uses("sum", "a").needs("smoke")));
        assertEquals(List.of("probe", "diagnose"), run.began);
        assertEquals(
                new Entry.StepPlanned(
                        "smoke", "run", "at most 120 s", List.of("torchrun", "-n", "2")),
                ledger.of("smoke").planned());
        assertEquals(
                new Entry.StepPlanned(
                        "single", "skip", "size(steps.probe.out.gpus) is 2, wanted == 1", null),
                ledger.of("single").planned());
        assertEquals("can't tell yet", ledger.of("bench").planned().would());
        assertTrue(
                ledger.of("bench").planned().says().contains("step smoke has not run"),
                ledger.of("bench").planned().says());
        assertEquals(
                "uses a; if smoke passes; 2 times, for each point of its matrix; at most 60 s; if a"
                        + " rule advises it, then with p2p-off",
                ledger.of("big").planned().says());
        assertEquals("refuse", ledger.of("fix").planned().would());
        assertEquals("can't tell yet", ledger.of("sum").planned().would());
    }

    private static Action.Outcome told(String host) {
        Host fact = new Host(host, null, null, null, null, null, null);
        return new Action.Outcome(State.PASSED, "told", List.of(observed(fact)), Map.of());
    }
}
