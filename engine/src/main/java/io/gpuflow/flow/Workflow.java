package io.gpuflow.flow;

import io.gpuflow.expr.Template;
import java.util.List;
import java.util.Map;

/**
 * A workflow as its file says it. All references are known to be right and there are no cycles: the
 * reader saw to that.
 *
 * @param file as it was named by the user
 * @param text the whole file, for the record of a run
 * @param about one line, or empty
 * @param inputs by name, in file order
 * @param env variables of every step; a null value removes one
 * @param steps in file order
 */
public record Workflow(
        String file,
        String text,
        String about,
        Map<String, Input> inputs,
        Map<String, Template> env,
        List<Step> steps) {

    /** The step with this id, or null. */
    public Step step(String id) {
        return steps.stream().filter(s -> s.id().equals(id)).findFirst().orElse(null);
    }

    /** The same under the name that the user gave it. */
    public Workflow named(String name) {
        return new Workflow(name, text, about, inputs, env, steps);
    }
}
