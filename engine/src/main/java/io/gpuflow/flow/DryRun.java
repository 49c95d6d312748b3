package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says what a step would do, as far as what is known by now lets it be told. */
final class DryRun {
    private static final String RUN = "run";
    private static final String UNTOLD = "can't tell yet";

    private final RunState run;
    private final Step step;
    private final Scope scope;

    DryRun(RunState run, Step step, Scope scope) {
        this.run = run;
        this.step = step;
        this.scope = scope;
    }

    /** Null for a step that a dry run really runs: a read step that rests on nothing untold. */
    Entry.StepPlanned plan() {
        String waits = null;
        for (String id : step.needs()) {
            StepResult needed = run.results().of(id);
            if (needed.state() != null && !needed.state().lets()) {
                return planned("block", id + " " + needed.state().word(), null);
            }
            waits = needed.state() == null ? id : waits;
        }
        if (step.when() != null) {
            Value holds = step.when().evaluate(scope);
            if (holds.isFalse()) {
                return planned("skip", step.when().because(scope), null);
            }
            if (!holds.isKnown()) {
                return planned(UNTOLD, step.when().because(scope), null);
            }
        }
        if (step.effect() == Effect.READ) {
            return waits == null
                    ? null
                    : planned(UNTOLD, "it needs " + waits + ", which has not run", null);
        }
        if (step.effect() == Effect.CHANGE && !run.setup().allowChange()) {
            return planned("refuse", "it changes the machine; --allow-change lets it", null);
        }
        return wouldRun(waits);
    }

    private Entry.StepPlanned wouldRun(String waits) {
        List<String> says = new ArrayList<>();
        if (waits != null) {
            says.add("if " + waits + " passes");
        }
        List<String> argv = null;
        Value points = Prepared.points(step, scope);
        if (points instanceof Value.Known known && known.value() instanceof List<?> list) {
            if (list.size() != 1) {
                says.add(list.size() + " times, for each point of its matrix");
            }
            argv = argv(list, says);
        } else {
            says.add("its matrix is not known yet: " + Words.unknown(points));
        }
        says.add("at most " + Words.duration(step.timeout()));
        if (!step.experiments().isEmpty()) {
            says.add(
                    "if a rule advises it, then with "
                            + String.join(" or ", step.experiments().keySet()));
        }
        if (argv == null && step.work() instanceof Work.Uses uses) {
            says.add(0, "uses " + uses.action());
        }
        return planned(RUN, String.join("; ", says), argv);
    }

    @SuppressWarnings("unchecked")
    private List<String> argv(List<?> points, List<String> says) {
        if (points.isEmpty()) {
            return null;
        }
        Map<String, Object> first = (Map<String, Object>) points.get(0);
        Value prepared = Prepared.of(run.setup().workflow(), step, first, scope, null);
        if (prepared instanceof Value.Known known) {
            return ((Prepared) known.value()).argv();
        }
        says.add("its values are not known yet: " + Words.unknown(prepared));
        return null;
    }

    private Entry.StepPlanned planned(String would, String says, List<String> argv) {
        return new Entry.StepPlanned(step.id(), would, says, argv);
    }
}
