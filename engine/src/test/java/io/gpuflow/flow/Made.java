package io.gpuflow.flow;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.ExprException;
import io.gpuflow.expr.Template;
import io.gpuflow.yaml.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Steps for tests, made without a file. */
final class Made {
    private final String id;
    private Work work;
    private List<String> needs = List.of();
    private List<String> after = List.of();
    private Expr when;
    private Matrix matrix;
    private final Map<String, Template> env = new LinkedHashMap<>();
    private Duration timeout = Duration.ofMinutes(1);
    private Retry retry = Retry.NEVER;
    private Effect effect = Effect.READ;
    private List<String> check = List.of();
    private final Map<String, Experiment> experiments = new LinkedHashMap<>();
    private Budget budget = Budget.DEFAULT;
    private final Map<String, Template> outputs = new LinkedHashMap<>();

    private Made(String id, Work work) {
        this.id = id;
        this.work = work;
    }

    static Made uses(String id, String action) {
        return new Made(id, new Work.Uses(action, Map.of()));
    }

    static Made cmd(String id, String... argv) {
        List<Template> parts = new ArrayList<>();
        for (String part : argv) {
            parts.add(template(part));
        }
        return new Made(id, new Work.Cmd(parts, null));
    }

    static Made sh(String id, String script) {
        return new Made(id, new Work.Sh(script, null));
    }

    Made reading(String parse, Extract extract) {
        Work.Reading reading = new Work.Reading(parse, extract);
        work =
                work instanceof Work.Cmd cmd
                        ? new Work.Cmd(cmd.argv(), reading)
                        : new Work.Sh(((Work.Sh) work).script(), reading);
        return this;
    }

    Made with(String name, Object value) {
        Work.Uses uses = (Work.Uses) work;
        Map<String, Object> with = new LinkedHashMap<>(uses.with());
        with.put(name, value instanceof String text ? template(text) : value);
        work = new Work.Uses(uses.action(), with);
        return this;
    }

    Made needs(String... ids) {
        needs = List.of(ids);
        return this;
    }

    Made after(String... ids) {
        after = List.of(ids);
        return this;
    }

    Made when(String condition) {
        when = expr(condition);
        return this;
    }

    Made matrix(String axis, Object values) {
        matrix = new Matrix(Map.of(axis, values));
        return this;
    }

    Made env(String name, String value) {
        env.put(name, value == null ? null : template(value));
        return this;
    }

    Made timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    Made retry(int times, boolean afterTimeout, Integer... exits) {
        retry = new Retry(times, afterTimeout, Set.of(exits), Duration.ZERO);
        return this;
    }

    Made load() {
        effect = Effect.LOAD;
        return this;
    }

    Made change() {
        effect = Effect.CHANGE;
        return this;
    }

    Made check(String... areas) {
        check = List.of(areas);
        return this;
    }

    Made experiment(String name, String variable, String value) {
        Map<String, Template> change = new LinkedHashMap<>();
        change.put(variable, value == null ? null : template(value));
        experiments.put(name, new Experiment(name, "", change, Map.of(), null));
        return this;
    }

    Made budget(int runs, Duration time) {
        budget = new Budget(runs, time);
        return this;
    }

    Made output(String name, String value) {
        outputs.put(name, template(value));
        return this;
    }

    Step step() {
        return new Step(
                new Position("flow.yaml", 3, 5),
                id,
                "",
                work,
                needs,
                after,
                when,
                matrix,
                env,
                timeout,
                retry,
                effect,
                check,
                experiments,
                budget,
                outputs,
                List.of());
    }

    static Workflow flow(Made... steps) {
        List<Step> made = new ArrayList<>();
        for (Made step : steps) {
            made.add(step.step());
        }
        return new Workflow("flow.yaml", "gpuflow: 1\n", "", Map.of(), Map.of(), made);
    }

    static Template template(String text) {
        try {
            return Template.parse(text);
        } catch (ExprException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Expr expr(String text) {
        try {
            return Expr.parse(text);
        } catch (ExprException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
