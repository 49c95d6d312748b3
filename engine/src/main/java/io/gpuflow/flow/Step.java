package io.gpuflow.flow;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import io.gpuflow.yaml.Position;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One step of a workflow; the defaults of the workflow are already in it.
 *
 * @param at where it begins in the file
 * @param about one line for people, or empty
 * @param work what it does
 * @param needs ids of steps that must have passed, warned or been skipped by their own {@code if}
 * @param after ids of steps that must only have ended; {@code after: all} is spelled out
 * @param when its {@code if:}, or null
 * @param matrix the combinations it runs for, or null
 * @param env variables on top of the workflow's; a null value removes one
 * @param timeout time that one attempt may take
 * @param retry never null; {@link Retry#NEVER} by default
 * @param effect what it does to the machine
 * @param check rule areas that judge what it brought; empty for none
 * @param experiments changes that a rule's advice may try, by name
 * @param budget what the experiments may cost together
 * @param outputs further outputs, computed when the step has ended: there {@code out} is what its
 *     work brought
 * @param keep globs of files that belong to the record of the run: what a command writes in the
 *     folder where gpuflow runs; a built-in step's own folder is kept anyway
 */
public record Step(
        Position at,
        String id,
        String about,
        Work work,
        List<String> needs,
        List<String> after,
        Expr when,
        Matrix matrix,
        Map<String, Template> env,
        Duration timeout,
        Retry retry,
        Effect effect,
        List<String> check,
        Map<String, Experiment> experiments,
        Budget budget,
        Map<String, Template> outputs,
        List<Template> keep) {}
