package io.gpuflow.flow;

import static io.gpuflow.flow.TestRun.observed;
import static io.gpuflow.flow.TestRun.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.facts.Tried;
import io.gpuflow.facts.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentsTest {
    @TempDir Path dir;

    private final List<String> attempts = new ArrayList<>();

    private TestRun test(Function<Map<String, String>, Action.Outcome> step) {
        TestRun run = new TestRun(dir.resolve("run"));
        run.action(
                "work",
                c -> {
                    attempts.add(c.env().isEmpty() ? "as it stands" : c.env().toString());
                    return step.apply(c.env());
                });
        return run;
    }

    /** Advises while the step's own facts show a fault and the experiment was not tried. */
    private static Judgement advise(Collection<Observed> facts, String... experiments) {
        List<Advice> advice = new ArrayList<>();
        for (String name : experiments) {
            boolean tried =
                    facts.stream()
                            .anyMatch(
                                    f ->
                                            f.fact() instanceof Tried t
                                                    && t.experiment().equals(name));
            if (!tried) {
                advice.add(new Advice("rule-" + name, name, "it may help"));
            }
        }
        Verdict verdict = TestRun.verdict("rule", Verdict.Level.FAIL, Map.of());
        return TestRun.judgement(List.of(verdict), advice.toArray(new Advice[0]));
    }

    @Test
    void aHangIsProvenByChangingOneThingAndChangingItBack() {
        TestRun run = test(env -> env.containsKey("NCCL_P2P_DISABLE") ? finished() : hung());
        List<Integer> triedFacts = new ArrayList<>();
        run.rules =
                (facts, areas) -> {
                    triedFacts.add(
                            (int) facts.stream().filter(f -> f.fact() instanceof Tried).count());
                    return advise(facts, "p2p-off", "not-declared");
                };
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("smoke", "work")
                                        .load()
                                        .check("ranks")
                                        .experiment("p2p-off", "NCCL_P2P_DISABLE", "1")));
        assertEquals(List.of("as it stands", "{NCCL_P2P_DISABLE=1}", "as it stands"), attempts);
        Entry.ExperimentEnded tried = ledger.of("smoke").experiments().get(0);
        assertEquals("confirmed", tried.outcome());
        assertEquals(
                "works with NCCL_P2P_DISABLE=1 in 14 s; as it stands: hung in first-collective,"
                        + " twice",
                tried.says());
        assertEquals(Map.of("NCCL_P2P_DISABLE", "1"), tried.env());
        assertEquals(1, ledger.of("smoke").experiments().size(), "undeclared advice is not run");
        assertEquals(List.of(0, 1, 1), triedFacts, "judged again, and once more at the end");
        assertEquals("failed: rule says so", state(ledger, "smoke"));
        assertEquals(
                List.of("steps/smoke/1", "steps/smoke/2-p2p-off", "steps/smoke/3-without-p2p-off"),
                ledger.of("smoke").attempts().stream().map(a -> a.started().folder()).toList());
    }

    @Test
    void adviceOfAnAreaThatAnEarlierStepCheckedIsFollowed() {
        TestRun run = test(env -> bench(env.isEmpty() ? 27.0 : 339.0));
        run.action("probe", State.PASSED);
        run.rules =
                (facts, areas) ->
                        areas.contains("interconnect")
                                ? advise(facts, "p2p-on")
                                : TestRun.judgement(List.of());
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("probe", "probe").check("interconnect"),
                                Made.uses("bench", "work")
                                        .after("probe")
                                        .load()
                                        .check("bench")
                                        .experiment("p2p-on", "NCCL_P2P_DISABLE", "0")));
        assertEquals("confirmed", ledger.of("bench").experiments().get(0).outcome());
        assertEquals("passed: ran", state(ledger, "bench"), "not one of its own findings");
    }

    @Test
    void theFactsOfAnExperimentDoNotJoinThoseOfTheStep() {
        TestRun run = test(env -> env.isEmpty() ? bench(339.0) : bench(27.0));
        List<Observed> last = new ArrayList<>();
        run.rules =
                (facts, areas) -> {
                    last.clear();
                    last.addAll(facts);
                    return advise(facts, "p2p-off");
                };
        run.run(
                Made.flow(
                        Made.uses("bench", "work")
                                .load()
                                .check("bench")
                                .experiment("p2p-off", "NCCL_P2P_DISABLE", "1")));
        List<Bench> benches = new ArrayList<>();
        last.forEach(f -> add(benches, f, Bench.class));
        assertEquals(List.of(339.0), benches.stream().map(Bench::largeBusbwGbps).toList());
        List<Tried> tried = new ArrayList<>();
        last.forEach(f -> add(tried, f, Tried.class));
        assertEquals(List.of(new Tried("bench", "p2p-off", "refuted", 339.0, 27.0, "GB/s")), tried);
    }

    @Test
    void aVariableOfTheCallerCanBeTakenAway() {
        TestRun run = test(env -> env.containsKey("NCCL_P2P_DISABLE") ? bench(339.0) : bench(27.0));
        FakeTools tools = (FakeTools) run.tools;
        tools.environment.put("NCCL_P2P_DISABLE", "1");
        run.rules = (facts, areas) -> advise(facts, "p2p-on");
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("bench", "work")
                                        .load()
                                        .check("bench")
                                        .experiment("p2p-on", "NCCL_P2P_DISABLE", null)));
        assertEquals(List.of("as it stands", "{NCCL_P2P_DISABLE=null}", "as it stands"), attempts);
        Entry.ExperimentEnded tried = ledger.of("bench").experiments().get(0);
        assertEquals("confirmed", tried.outcome());
        assertEquals("339 GB/s with NCCL_P2P_DISABLE unset, 27 and 27 GB/s without", tried.says());
    }

    @Test
    void aVariableThatAFileSetsIsOutrankedSinceUnsettingDoesNotUndoIt() {
        TestRun run =
                test(
                        env ->
                                with(
                                        bench("0".equals(env.get("NCCL_P2P_DISABLE")) ? 339 : 27),
                                        new EnvVar("NCCL_P2P_DISABLE", "1", "/etc/nccl.conf")));
        ((FakeTools) run.tools).environment.put("NCCL_P2P_DISABLE", "1");
        run.rules = (facts, areas) -> advise(facts, "p2p-on");
        Entry.ExperimentEnded tried =
                run.run(p2pOn("NCCL_P2P_DISABLE")).of("bench").experiments().get(0);
        assertEquals(List.of("as it stands", "{NCCL_P2P_DISABLE=0}", "as it stands"), attempts);
        assertEquals(
                "339 GB/s with NCCL_P2P_DISABLE=0 (it outranks /etc/nccl.conf), 27 and 27 GB/s"
                        + " without",
                tried.says());
    }

    @Test
    void aVariableThatAFileSetsAndWhoseDefaultIsNotKnownIsLeftToThePerson() {
        TestRun run = test(env -> with(bench(27), new EnvVar("NCCL_PROTO", "LL", "~/.nccl.conf")));
        run.rules = (facts, areas) -> advise(facts, "p2p-on");
        Entry.ExperimentEnded tried = run.run(p2pOn("NCCL_PROTO")).of("bench").experiments().get(0);
        assertEquals("not tried", tried.outcome());
        assertEquals(
                "~/.nccl.conf sets NCCL_PROTO, so unsetting it changes nothing; remove it there and"
                        + " run again",
                tried.says());
    }

    private static Workflow p2pOn(String variable) {
        return Made.flow(
                Made.uses("bench", "work")
                        .load()
                        .check("bench")
                        .experiment("p2p-on", variable, null));
    }

    private static Action.Outcome with(Action.Outcome outcome, EnvVar variable) {
        List<Observed> facts = new ArrayList<>(outcome.facts());
        facts.add(observed(variable));
        return new Action.Outcome(outcome.state(), outcome.reason(), facts, outcome.out());
    }

    @Test
    void whatWouldChangeNothingIsNotTried() {
        TestRun run = test(env -> bench(27.0));
        run.rules = (facts, areas) -> advise(facts, "p2p-on");
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("bench", "work")
                                        .load()
                                        .check("bench")
                                        .experiment("p2p-on", "NCCL_P2P_DISABLE", null)));
        assertEquals(List.of("as it stands"), attempts);
        Entry.ExperimentEnded tried = ledger.of("bench").experiments().get(0);
        assertEquals("not tried", tried.outcome());
        assertEquals("it would change nothing: this is how the step ran already", tried.says());
    }

    @Test
    void aHangInABenchmarkIsToldWithItsCost() {
        TestRun run =
                test(
                        env ->
                                env.isEmpty()
                                        ? broken()
                                        : new Action.Outcome(
                                                State.PASSED,
                                                "ran",
                                                List.of(
                                                        observed(benchFact(27.0)),
                                                        observed(ceiling(478, 339.0))),
                                                Map.of()));
        run.action(
                "probe",
                c ->
                        new Action.Outcome(
                                State.PASSED,
                                "probed",
                                List.of(observed(ceiling(478, 339.0))),
                                Map.of()));
        run.rules = (facts, areas) -> advise(facts, "p2p-off");
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("probe", "probe"),
                                Made.uses("bench", "work")
                                        .load()
                                        .check("bench")
                                        .experiment("p2p-off", "NCCL_P2P_DISABLE", "1")));
        assertEquals(
                "works with NCCL_P2P_DISABLE=1, at 27 of 339 GB/s; as it stands: timed out, twice",
                ledger.of("bench").experiments().get(0).says());
    }

    @Test
    void theWorstFindingsAdviceComesFirstThenTheStepsOrder() {
        TestRun run = test(env -> hung());
        run.rules =
                (facts, areas) ->
                        TestRun.judgement(
                                List.of(
                                        TestRun.verdict("worst", Verdict.Level.FAIL, Map.of()),
                                        TestRun.verdict("mild", Verdict.Level.WARN, Map.of())),
                                new Advice("mild", "c", ""),
                                new Advice("mild", "b", ""),
                                new Advice("worst", "d", ""));
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("smoke", "work")
                                        .load()
                                        .check("ranks")
                                        .experiment("b", "B", "1")
                                        .experiment("c", "C", "1")
                                        .experiment("d", "D", "1")));
        assertEquals(
                List.of("d", "b", "c"),
                ledger.of("smoke").experiments().stream()
                        .map(Entry.ExperimentEnded::experiment)
                        .toList());
        assertTrue(
                ledger.of("smoke").experiments().stream()
                        .allMatch(e -> e.outcome().equals("refuted")));
    }

    @Test
    void theBudgetEndsIt() {
        TestRun run = test(env -> env.containsKey("B") ? finished() : hung());
        run.rules = (facts, areas) -> advise(facts, "b", "c");
        Made smoke =
                Made.uses("smoke", "work")
                        .load()
                        .check("ranks")
                        .experiment("b", "B", "1")
                        .experiment("c", "C", "1")
                        .budget(1, null);
        Ledger ledger = run.run(Made.flow(smoke));
        assertEquals(2, attempts.size());
        List<Entry.ExperimentEnded> tried = ledger.of("smoke").experiments();
        assertEquals("confirmed", tried.get(0).outcome());
        assertTrue(tried.get(0).says().endsWith("(tried once: the budget is used up)"));
        assertEquals("not tried", tried.get(1).outcome());
        assertEquals("the step's budget for experiments is used up", tried.get(1).says());
    }

    @Test
    void noTimeMeansNoExperiment() {
        TestRun run = test(env -> hung());
        run.rules = (facts, areas) -> advise(facts, "b");
        run.run(
                Made.flow(
                        Made.uses("smoke", "work")
                                .load()
                                .check("ranks")
                                .experiment("b", "B", "1")
                                .budget(9, Duration.ZERO)));
        assertEquals(1, attempts.size());
    }

    @Test
    void aToolThatIsGoneMakesItInconclusive() {
        TestRun run = test(env -> env.isEmpty() ? hung() : unknown());
        run.rules = (facts, areas) -> advise(facts, "b");
        Ledger ledger =
                run.run(
                        Made.flow(
                                Made.uses("smoke", "work")
                                        .load()
                                        .check("ranks")
                                        .experiment("b", "B", "1")));
        assertEquals("inconclusive", ledger.of("smoke").experiments().get(0).outcome());
        assertEquals(2, attempts.size(), "no third run when the second could not tell");
    }

    @Test
    void inAMatrixThePointTheFindingNamesIsTried() {
        TestRun run = new TestRun(dir.resolve("run"));
        run.action(
                "work",
                c -> {
                    attempts.add(c.with().get("op") + " " + c.env());
                    return bench(c.env().isEmpty() ? 27.0 : 339.0);
                });
        run.rules =
                (facts, areas) ->
                        TestRun.judgement(
                                List.of(
                                        TestRun.verdict(
                                                "slow",
                                                Verdict.Level.WARN,
                                                Map.of("op", "all_gather"))),
                                new Advice("slow", "b", ""));
        run.run(
                Made.flow(
                        Made.uses("bench", "work")
                                .load()
                                .check("bench")
                                .matrix("op", List.of("all_reduce", "all_gather"))
                                .with("op", "${{ matrix.op }}")
                                .experiment("b", "B", "1")));
        assertEquals(
                List.of("all_reduce {}", "all_gather {}", "all_gather {B=1}", "all_gather {}"),
                attempts);
    }

    private static <T> void add(List<T> to, Observed observed, Class<T> type) {
        if (type.isInstance(observed.fact())) {
            to.add(type.cast(observed.fact()));
        }
    }

    private static Action.Outcome finished() {
        return smoke(State.PASSED, true, false, "done", 14.0, "finished");
    }

    private static Action.Outcome hung() {
        return smoke(
                State.FAILED, false, true, "first-collective", 120.0, "hung in first-collective");
    }

    private static Action.Outcome smoke(
            State state, boolean finished, boolean hung, String stage, double s, String reason) {
        SmokeRun run =
                new SmokeRun(
                        "nccl",
                        2,
                        2,
                        finished,
                        hung,
                        stage,
                        finished ? 0 : null,
                        s,
                        0,
                        "torchrun",
                        null);
        return new Action.Outcome(state, reason, List.of(observed(run)), Map.of());
    }

    private static Action.Outcome broken() {
        Observed failure =
                observed(
                        new io.gpuflow.facts.ToolFailure(
                                "bench", "all_reduce_perf", "timeout", null, ""));
        return new Action.Outcome(State.BROKEN, "timed out", List.of(failure), Map.of());
    }

    private static Action.Outcome unknown() {
        return new Action.Outcome(State.UNKNOWN, "not recorded", List.of(), Map.of());
    }

    private static Action.Outcome bench(double busbw) {
        return new Action.Outcome(
                State.PASSED, "ran", List.of(observed(benchFact(busbw))), Map.of());
    }

    private static Bench benchFact(double busbw) {
        return new Bench(
                "nccl-tests", "all_reduce", 2, busbw, busbw, busbw, 8L << 30, 0L, "P2P", true);
    }

    private static BusCeiling ceiling(double gbps, Double expected) {
        return new BusCeiling("all_reduce", 2, gbps, expected, "P2P", List.of(), null, null);
    }
}
