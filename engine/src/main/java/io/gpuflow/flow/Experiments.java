package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Advice;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Tried;
import io.gpuflow.rules.Veto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Closes the loop: what a rule advises and the step declares is tried, the step as it stands is
 * repeated afterwards, and the rules are told what came of it.
 */
final class Experiments {
    static final String NOT_TRIED = "not tried";

    private final RunState run;
    private final Attempts attempts;
    private final Step step;
    private final Scope scope;
    private final Set<String> tried = new HashSet<>();
    private final long begin = System.nanoTime();
    private int runs;

    Experiments(RunState run, Attempts attempts, Step step, Scope scope) {
        this.run = run;
        this.attempts = attempts;
        this.step = step;
        this.scope = scope;
    }

    /**
     * Runs the one that matters most of those that are advised, declared and not yet tried.
     *
     * @param points what the step brought at each point of its matrix
     * @return the fact it leaves, or null when there is none to run
     */
    Observed next(Judgement judgement, List<Point> points, List<Observed> facts)
            throws InterruptedException {
        Advised advised = new Advised(judgement, step);
        for (Advice advice : advised.inOrder(tried)) {
            Experiment experiment = step.experiments().get(advice.experiment());
            tried.add(experiment.name());
            Point point = advised.point(advice, points);
            Value change = change(experiment, point, facts);
            String not = vetoed(judgement, experiment, change);
            not = not != null ? not : whyNot(experiment, change);
            if (not == null) {
                return perform(point, (Change) change.orElse(null), facts);
            }
            end(experiment, new Comparison(NOT_TRIED, null, null, null, not), Map.of());
        }
        return null;
    }

    /** A Change, or what is not known. */
    private Value change(Experiment experiment, Point point, List<Observed> facts) {
        Map<String, Object> matrix = point.prepared().matrix();
        Value prepared = Prepared.of(run.setup().workflow(), step, matrix, scope, experiment);
        return prepared instanceof Value.Known known
                ? new Value.Known(
                        Change.of(
                                experiment,
                                point.prepared(),
                                (Prepared) known.value(),
                                new FileSettings(facts),
                                run.setup().machine().environment()))
                : prepared;
    }

    /** One point of the matrix and what the step brought there. */
    record Point(Prepared prepared, Action.Outcome outcome) {}

    private Observed perform(Point point, Change change, List<Observed> facts)
            throws InterruptedException {
        Experiment experiment = change.experiment();
        String words = change.words();
        run.events().attemptStarted(step.id(), "experiment " + experiment.name() + ": " + words);
        Measurement before = Measurement.of(point.outcome());
        Measurement changed =
                measure(change.after(), new Attempts.Purpose(experiment.name(), true));
        Double reference = reference(changed, facts);
        Comparison found = Comparison.of(words, before, changed, null, reference);
        if (found.outcome().equals(Comparison.CONFIRMED) && withinBudget()) {
            run.events().attemptStarted(step.id(), "once more without " + experiment.name());
            Measurement again =
                    measure(point.prepared(), new Attempts.Purpose(experiment.name(), false));
            found = Comparison.of(words, before, changed, again, reference);
        }
        return end(experiment, found, change.variables());
    }

    private Observed end(Experiment experiment, Comparison found, Map<String, String> env) {
        Entry.ExperimentEnded ended =
                new Entry.ExperimentEnded(
                        step.id(),
                        experiment.name(),
                        found.outcome(),
                        found.before(),
                        found.after(),
                        found.unit(),
                        env,
                        found.says());
        run.record(ended);
        run.events().experimentEnded(step.id(), experiment.name(), found.outcome(), found.says());
        List<Observed> tried = tried(List.of(ended));
        return tried.isEmpty() ? null : tried.get(0);
    }

    private Measurement measure(Prepared prepared, Attempts.Purpose purpose)
            throws InterruptedException {
        runs++;
        return Measurement.of(attempts.once(step, prepared, purpose));
    }

    private boolean withinBudget() {
        Budget budget = step.budget();
        boolean inTime =
                budget.time() == null || System.nanoTime() - begin < budget.time().toNanos();
        return runs < budget.runs() && inTime;
    }

    /** Why the site forbids it, or null: own rules may name it, or a variable that it sets. */
    private String vetoed(Judgement judgement, Experiment experiment, Value change) {
        Map<String, String> env =
                change instanceof Value.Known known
                        ? ((Change) known.value()).variables()
                        : Map.of();
        for (Judgement.Forbidden veto : judgement.site().vetoes()) {
            Veto parsed = Veto.parse(veto.what());
            if (parsed != null && parsed.forbids(experiment.name(), env)) {
                return "the site's rule " + veto.by() + " vetoes it: " + veto.because();
            }
        }
        return null;
    }

    private String whyNot(Experiment experiment, Value change) {
        if (!withinBudget()) {
            return "the step's budget for experiments is used up";
        }
        if (experiment.when() != null && !experiment.when().evaluate(scope).isTrue()) {
            return experiment.when().because(scope);
        }
        return change instanceof Value.Known known
                ? ((Change) known.value()).idle()
                : Words.unknown(change);
    }

    /**
     * What healthy machines of this kind reach, or what the links allow, for the same collective.
     */
    private static Double reference(Measurement measured, List<Observed> facts) {
        Double best = null;
        for (Observed observed : facts) {
            if (observed.fact() instanceof BusCeiling ceiling
                    && ceiling.op().equals(measured.op())) {
                double value =
                        ceiling.expectedGbps() != null ? ceiling.expectedGbps() : ceiling.gbps();
                best = best == null ? value : Math.max(best, value);
            }
        }
        return best;
    }

    /** The facts that experiments leave. */
    static List<Observed> tried(List<Entry.ExperimentEnded> experiments) {
        List<Observed> facts = new ArrayList<>();
        for (Entry.ExperimentEnded e : experiments) {
            if (e.outcome().equals(NOT_TRIED)) {
                continue;
            }
            Tried tried =
                    new Tried(
                            e.step(), e.experiment(), e.outcome(), e.before(), e.after(), e.unit());
            facts.add(
                    new Observed(
                            tried,
                            Source.of("experiment " + e.experiment() + " of step " + e.step())));
        }
        return facts;
    }
}
