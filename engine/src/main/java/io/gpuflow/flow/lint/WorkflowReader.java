package io.gpuflow.flow.lint;

import io.gpuflow.expr.Template;
import io.gpuflow.flow.Budget;
import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.Effect;
import io.gpuflow.flow.Matrix;
import io.gpuflow.flow.Retry;
import io.gpuflow.flow.Step;
import io.gpuflow.flow.Work;
import io.gpuflow.flow.Workflow;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads workflow files, finding everything wrong in them at once. */
public final class WorkflowReader {
    private final Catalog catalog;
    private final WorkflowTable table;

    /**
     * @param catalog the names that workflows may refer to
     */
    public WorkflowReader(Catalog catalog) {
        this.catalog = catalog;
        this.table = new WorkflowTable(catalog);
    }

    /** The workflow, or null when problems were reported. */
    public Workflow read(Path file, Problems problems) {
        int before = problems.count();
        return workflow(file.toString(), YamlDocument.read(file, problems), problems, before);
    }

    /** The same for a text that came from the named file. */
    public Workflow read(String file, String text, Problems problems) {
        int before = problems.count();
        return workflow(file, YamlDocument.parse(file, text, problems), problems, before);
    }

    /** JSON Schema (draft 7) of workflow files. */
    public Map<String, Object> schema() {
        return table.shape.schema();
    }

    private Workflow workflow(String file, YamlDocument document, Problems problems, int before) {
        Fields fields = document == null ? null : table.shape.read(document.root(), problems);
        if (fields == null) {
            return null;
        }
        if (fields.get(table.steps) == null
                || fields.get(table.steps).size() > WorkflowTable.MOST_STEPS) {
            return null;
        }
        Draft draft = new Draft(table, fields, document.text(), catalog, problems);
        Names names = new Names(draft);
        new StepLinks(draft).check();
        new ActionUse(draft, names).check();
        new ExpressionUse(draft, names).check();
        KeptFiles.check(draft);
        return problems.count() > before ? null : workflow(file, document.text(), draft);
    }

    private Workflow workflow(String file, String text, Draft draft) {
        List<Step> steps = new ArrayList<>();
        draft.all().forEach(step -> steps.add(step(step, draft)));
        return new Workflow(
                file,
                text,
                draft.workflow.get(table.about),
                draft.workflow.get(table.inputs),
                draft.workflow.get(table.env),
                List.copyOf(steps));
    }

    private Step step(Fields step, Draft draft) {
        StepTable keys = table.step;
        WorkflowTable.Defaults defaults = draft.workflow.get(table.defaults);
        Retry retry = step.get(keys.retry);
        Budget budget = step.get(keys.budget);
        Map<String, Object> axes = step.get(keys.matrix);
        return new Step(
                step.at(),
                step.get(keys.id),
                step.get(keys.about),
                work(step),
                draft.named(step, keys.needs),
                draft.named(step, keys.after).stream()
                        .filter(id -> !step.get(keys.needs).contains(id))
                        .toList(),
                step.get(keys.when),
                axes == null ? null : new Matrix(axes),
                step.get(keys.env),
                step.has(keys.timeout) ? step.get(keys.timeout) : defaults.timeout(),
                retry == null ? defaults.retry() : retry,
                effect(step),
                step.get(keys.check),
                step.get(keys.experiments),
                budget == null ? Budget.DEFAULT : budget,
                step.get(keys.outputs),
                step.get(keys.keep));
    }

    private Work work(Fields step) {
        StepTable keys = table.step;
        if (step.has(keys.uses)) {
            return new Work.Uses(step.get(keys.uses), step.get(keys.with));
        }
        Work.Reading reading = new Work.Reading(step.get(keys.parse), step.get(keys.extract));
        List<Template> argv = step.get(keys.cmd);
        return argv != null ? new Work.Cmd(argv, reading) : new Work.Sh(step.get(keys.sh), reading);
    }

    /** A command that doesn't say what it does is taken to hold the GPUs, so that it runs alone. */
    private Effect effect(Fields step) {
        Effect said = step.get(table.step.effect);
        if (said != null) {
            return said;
        }
        Catalog.ActionInfo action = catalog.action(step.get(table.step.uses));
        return action != null ? action.effect() : Effect.LOAD;
    }
}
