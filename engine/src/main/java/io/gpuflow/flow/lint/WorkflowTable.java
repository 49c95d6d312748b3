package io.gpuflow.flow.lint;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.expr.Template;
import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.Input;
import io.gpuflow.flow.Retry;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What may stand in a workflow file. The same table reads it and describes it for editors. */
final class WorkflowTable {
    /** Far more than anybody can follow; what is checked grows with the square of it. */
    static final int MOST_STEPS = 500;

    /** What a step takes from {@code defaults:} when it does not say so itself. */
    record Defaults(Duration timeout, Retry retry) {}

    /** Enough for a benchmark on a large machine, short enough to notice a hang. */
    private static final Defaults NO_DEFAULTS = new Defaults(Duration.ofMinutes(10), Retry.NEVER);

    private static final Key<Duration> TIMEOUT =
            optional(
                    "timeout",
                    Shapes.duration(),
                    NO_DEFAULTS.timeout(),
                    "time one attempt of a step may take; 10m when not given");
    private static final Key<Retry> RETRY =
            optional("retry", RetryShape.SHAPE, Retry.NEVER, "when a step is tried again");
    private static final Shape<Defaults> DEFAULTS =
            new MapShape<>(
                    "defaults",
                    "what every step does unless it says otherwise",
                    List.of(TIMEOUT, RETRY),
                    f -> new Defaults(f.get(TIMEOUT), f.get(RETRY)));

    final Key<Integer> version =
            required("gpuflow", WorkflowShapes.version(), "version of this format: 1");
    final Key<String> about = optional("about", Shapes.text(), "", "one line for people");
    final Key<Map<String, Input>> inputs =
            optional(
                    "inputs",
                    InputShape.SHAPE,
                    Map.of(),
                    "values that may be given with -i name=value");
    final Key<Map<String, Template>> env =
            optional("env", EnvShape.SHAPE, Map.of(), "variables of every step");
    final Key<Defaults> defaults =
            optional("defaults", DEFAULTS, NO_DEFAULTS, "what every step does by default");
    final Key<List<Fields>> steps;

    final StepTable step;
    final MapShape<Fields> shape;

    WorkflowTable(Catalog catalog) {
        step = new StepTable(catalog);
        steps = required("steps", Shapes.list(step.shape, 1, MOST_STEPS), "the steps, in order");
        shape =
                new MapShape<>(
                        "a workflow",
                        "A gpuflow workflow.",
                        List.of(version, about, inputs, env, defaults, steps),
                        Function.identity());
    }
}
