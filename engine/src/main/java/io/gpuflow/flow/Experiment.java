package io.gpuflow.flow;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import java.util.Map;

/**
 * A change that may be tried on a step; only a rule's advice starts one.
 *
 * @param about one line for people, or empty
 * @param env variables it sets; a null value removes one
 * @param with inputs of the action that it replaces
 * @param when its {@code if:}, or null
 */
public record Experiment(
        String name,
        String about,
        Map<String, Template> env,
        Map<String, Object> with,
        Expr when) {}
