package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A step with all values filled in, at one point of its matrix.
 *
 * @param matrix coordinates, empty without a matrix
 * @param argv what would be run, or null for a built-in action
 * @param with inputs of the action
 * @param env variables; a null value removes one
 * @param keep globs of files that belong to the record of the run
 */
record Prepared(
        Map<String, Object> matrix,
        List<String> argv,
        Map<String, Object> with,
        Map<String, String> env,
        List<String> keep) {

    /** The same with other variables. */
    Prepared with(Map<String, String> variables) {
        return new Prepared(matrix, argv, with, variables, keep);
    }

    /** The points of a step's matrix; one without coordinates when it has none. */
    static Value points(Step step, Scope scope) {
        return step.matrix() == null
                ? new Value.Known(List.of(Map.of()))
                : step.matrix().combinations(scope);
    }

    /**
     * Fills in the values.
     *
     * @param change an experiment's change, or null
     * @return a Prepared, or what is not known
     */
    static Value of(
            Workflow workflow,
            Step step,
            Map<String, Object> matrix,
            Scope scope,
            Experiment change) {
        Scope here = scope.with("matrix", matrix);
        Map<String, Template> texts = new LinkedHashMap<>(workflow.env());
        texts.putAll(step.env());
        Map<String, Object> with = new LinkedHashMap<>();
        if (step.work() instanceof Work.Uses uses) {
            with.putAll(uses.with());
        }
        if (change != null) {
            texts.putAll(change.env());
            with.putAll(change.with());
        }
        Value filled = Template.fill(with, here);
        if (!(filled instanceof Value.Known values)) {
            return filled;
        }
        Map<String, String> env = new LinkedHashMap<>();
        for (Map.Entry<String, Template> text : texts.entrySet()) {
            Value value = text.getValue() == null ? null : text.getValue().text(here);
            if (value instanceof Value.Unknown unknown) {
                return new Value.Unknown("env." + text.getKey() + ": " + unknown.why());
            }
            env.put(text.getKey(), value == null ? null : (String) value.orElse(null));
        }
        List<String> keep = new ArrayList<>();
        step.keep().forEach(glob -> keep.add(glob.show(here)));
        Value argv = argv(step.work(), here);
        if (!(argv instanceof Value.Known known)) {
            return argv;
        }
        return new Value.Known(
                new Prepared(matrix, texts(known.value()), map(values.value()), env, keep));
    }

    private static Value argv(Work work, Scope scope) {
        if (work instanceof Work.Uses) {
            return new Value.Known(null);
        }
        if (work instanceof Work.Sh sh) {
            return new Value.Known(List.of(CommandAction.SHELL, "-c", sh.script()));
        }
        List<String> argv = new ArrayList<>();
        for (Template part : ((Work.Cmd) work).argv()) {
            Value value = part.text(scope);
            if (!(value instanceof Value.Known known)) {
                return value;
            }
            argv.add((String) known.value());
        }
        return new Value.Known(argv);
    }

    @SuppressWarnings("unchecked")
    private static List<String> texts(Object list) {
        return (List<String>) list;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object map) {
        return (Map<String, Object>) map;
    }
}
