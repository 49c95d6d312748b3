package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One step from its conditions to its state. */
final class StepRun {
    /** A blocked step tells the beginning of the reason; the whole stands at the step itself. */
    private static final int BLOCKER_REASON = 100;

    private final RunState run;
    private final Keys keys;
    private final Attempts attempts;
    private final Judging judging;
    private final Step step;
    private final Scope scope;
    private final long begin = System.nanoTime();

    StepRun(RunState run, Keys keys, Step step) {
        this.run = run;
        this.keys = keys;
        this.attempts = new Attempts(run);
        this.judging = new Judging(run, step);
        this.step = step;
        this.scope = run.results().scopeFor(step);
    }

    /** Runs it to its end and leaves its result. */
    void run() throws InterruptedException {
        if (run.setup().dryRun() && planned()) {
            return;
        }
        String blocked = blockers();
        if (blocked != null) {
            end(State.BLOCKED, blocked, List.of(), noOut(State.BLOCKED));
            return;
        }
        if (step.when() != null) {
            Value holds = step.when().evaluate(scope);
            if (!holds.isTrue()) {
                State state = holds.isFalse() ? State.SKIPPED : State.UNKNOWN;
                end(state, step.when().because(scope), List.of(), noOut(state));
                return;
            }
        }
        if (step.effect() == Effect.CHANGE && !run.setup().allowChange()) {
            String reason = "it changes the machine; --allow-change lets it";
            end(State.BLOCKED, reason, List.of(), noOut(State.BLOCKED));
            return;
        }
        Value points = points();
        if (points instanceof Value.Unknown unknown) {
            end(State.UNKNOWN, unknown.why(), List.of(), noOut(State.UNKNOWN));
            return;
        }
        reuseOrPerform(prepared(points));
    }

    /** In a dry run: says what the step would do, unless it is one that really runs. */
    private boolean planned() {
        Entry.StepPlanned plan = new DryRun(run, step, scope).plan();
        if (plan == null) {
            return false;
        }
        String why = "step " + step.id() + " has not run";
        run.results().put(step.id(), new StepResult(null, why, List.of(), new Value.Unknown(why)));
        run.record(plan);
        run.events().stepEnded(step.id(), plan.would(), plan.says(), 0);
        return true;
    }

    /** Steps it needs that did not pass, or null. */
    private String blockers() {
        List<String> said = new ArrayList<>();
        for (String id : step.needs()) {
            StepResult result = run.results().of(id);
            if (result.state() == null || !result.state().lets()) {
                said.add(id + " " + why(result));
            }
        }
        return said.isEmpty() ? null : String.join("; ", said);
    }

    private static String why(StepResult result) {
        if (result.state() == null) {
            return "has not run";
        }
        String is = result.state() == State.FAILED ? "failed" : "is " + result.state().word();
        boolean own = result.state() != State.BLOCKED;
        return own ? is + ": " + Words.shorten(result.reason(), BLOCKER_REASON) : is;
    }

    /** All points of the matrix with their values, as a list of Prepared, or what is not known. */
    private Value points() {
        Value points = Prepared.points(step, scope);
        if (!(points instanceof Value.Known known)) {
            return points;
        }
        List<Prepared> prepared = new ArrayList<>();
        for (Object point : (List<?>) known.value()) {
            Value one = Prepared.of(run.setup().workflow(), step, coordinates(point), scope, null);
            if (!(one instanceof Value.Known filled)) {
                return one;
            }
            prepared.add((Prepared) filled.value());
        }
        return new Value.Known(prepared);
    }

    private void reuseOrPerform(List<Prepared> points) throws InterruptedException {
        StepKey key = keys.of(step, points);
        Ledger.StepLog before = run.ledger().of(step.id());
        Resume.Decision decision = Resume.decide(run.folder(), before, key, points.size());
        if (decision.stands() != null) {
            reuse(decision);
            return;
        }
        run.record(new Entry.StepStarted(step.id(), key, decision.reason()));
        run.events().stepStarted(step.id(), decision.reason());
        perform(points);
    }

    private void reuse(Resume.Decision decision) {
        List<Object> outs = new ArrayList<>();
        for (Ledger.Attempt attempt : decision.stands()) {
            Object out = Outs.restored(attempt.ended().out());
            outs.add(out(coordinates(out), attempt.started().matrix()));
        }
        List<Observed> facts = decision.facts();
        judging.ask(facts);
        State judged = judging.state(State.PASSED);
        State state = judged == State.PASSED ? State.REUSED : judged;
        String reason = judging.reason(state, decision.reason());
        end(state, reason, facts, joined(outs));
    }

    private void perform(List<Prepared> points) throws InterruptedException {
        List<Experiments.Point> done = new ArrayList<>();
        List<Observed> facts = new ArrayList<>();
        List<Object> outs = new ArrayList<>();
        for (Prepared point : points) {
            if (points.size() > 1) {
                run.events().attemptStarted(step.id(), Words.coordinates(point.matrix()));
            }
            Action.Outcome outcome = attempts.withRetries(step, point);
            done.add(new Experiments.Point(point, outcome));
            facts.addAll(outcome.facts());
            outs.add(out(outcome.out(), point.matrix()));
        }
        judging.ask(facts);
        tryWhatIsAdvised(done, facts);
        Action.Outcome worst = Points.worst(done);
        State state = judging.state(worst.state());
        end(state, judging.reason(state, worst.reason()), facts, joined(outs));
    }

    private void tryWhatIsAdvised(List<Experiments.Point> done, List<Observed> facts)
            throws InterruptedException {
        if (step.experiments().isEmpty() || done.isEmpty()) {
            return;
        }
        Experiments experiments = new Experiments(run, attempts, step, scope);
        while (true) {
            Observed tried =
                    experiments.next(judging.advising(facts), done, judging.seenWith(facts));
            if (tried == null) {
                return;
            }
            facts.add(tried);
            judging.ask(facts);
        }
    }

    private Object out(Map<String, Object> out, Map<String, Object> matrix) {
        Map<String, Object> all = new LinkedHashMap<>(out);
        Scope with = scope.with("matrix", matrix).with("out", all);
        Map<String, Object> further = new LinkedHashMap<>();
        for (Map.Entry<String, Template> output : step.outputs().entrySet()) {
            Value value = output.getValue().evaluate(with);
            further.put(output.getKey(), value instanceof Value.Known k ? k.value() : value);
        }
        all.putAll(further);
        if (step.matrix() != null) {
            all.put("matrix", matrix);
        }
        return all;
    }

    private Object joined(List<Object> outs) {
        return step.matrix() == null ? outs.get(0) : outs;
    }

    private Value.Unknown noOut(State state) {
        return new Value.Unknown("step " + step.id() + " was " + state.word());
    }

    private void end(State state, String reason, List<Observed> facts, Object out) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        run.results().put(step.id(), new StepResult(state, reason, facts, out));
        run.record(new Entry.StepEnded(step.id(), state, reason, seconds));
        run.events().stepEnded(step.id(), state.word(), reason, seconds);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> coordinates(Object map) {
        return (Map<String, Object>) map;
    }

    @SuppressWarnings("unchecked")
    private static List<Prepared> prepared(Value list) {
        return (List<Prepared>) list.orElse(null);
    }
}
