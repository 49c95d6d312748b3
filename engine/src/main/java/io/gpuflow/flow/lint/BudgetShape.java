package io.gpuflow.flow.lint;

import io.gpuflow.flow.Budget;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.time.Duration;
import java.util.List;

/** {@code budget: {runs: 4, time: 20m}}. */
final class BudgetShape {
    private static final Key<Integer> RUNS =
            Key.optional(
                    "runs",
                    Shapes.whole(0, 100),
                    Budget.DEFAULT.runs(),
                    "runs of the step for experiments, at most");
    private static final Key<Duration> TIME =
            Key.optional("time", Shapes.duration(), null, "time for experiments, at most");

    static final Shape<Budget> SHAPE =
            new MapShape<>(
                    "budget",
                    "what the experiments of a step may cost together",
                    List.of(RUNS, TIME),
                    f -> new Budget(f.get(RUNS), f.get(TIME)));

    private BudgetShape() {}
}
