package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Value;
import io.gpuflow.tool.Redaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values that a run must not show or write: those of inputs with {@code secret: true}, and
 * those that stand in a variable, an option or an assignment whose name says that it is a secret,
 * be it in the workflow or in the caller's environment.
 */
public final class SecretValues {
    private final Workflow workflow;
    private final Scope inputs;
    private final Set<String> found = new LinkedHashSet<>();

    private SecretValues(Workflow workflow, Map<String, Object> inputs) {
        this.workflow = workflow;
        this.inputs = Scope.of(Map.of("inputs", inputs));
    }

    public static List<String> of(
            Workflow workflow, Map<String, Object> inputs, Map<String, String> environment) {
        SecretValues values = new SecretValues(workflow, inputs);
        values.declared(inputs);
        values.variables(workflow.env());
        workflow.steps().forEach(values::step);
        values.found.addAll(Redaction.secretValues(environment));
        return List.copyOf(values.found);
    }

    private void declared(Map<String, Object> values) {
        for (Input input : workflow.inputs().values()) {
            Object value = values.get(input.name());
            if (input.secret() && value instanceof Collection<?> list) {
                list.forEach(item -> found.add(String.valueOf(item)));
            } else if (input.secret() && value != null) {
                found.add(value.toString());
            }
        }
    }

    private void step(Step step) {
        variables(step.env());
        step.experiments().values().forEach(experiment -> variables(experiment.env()));
        if (step.work() instanceof Work.Cmd cmd) {
            List<String> argv = new ArrayList<>();
            cmd.argv().forEach(part -> argv.add(text(part)));
            found.addAll(Redaction.secretArguments(argv));
        } else if (step.work() instanceof Work.Sh sh) {
            found.addAll(Redaction.secretAssignments(sh.script()));
        }
    }

    private void variables(Map<String, Template> env) {
        Map<String, String> texts = new LinkedHashMap<>();
        env.forEach(
                (name, value) -> {
                    if (value != null) {
                        texts.put(name, text(value));
                    }
                });
        found.addAll(Redaction.secretValues(texts));
    }

    /** What the text will be, empty where that rests on what a step brings. */
    private String text(Template template) {
        Value value = template.text(inputs);
        return value instanceof Value.Known known ? String.valueOf(known.value()) : "";
    }
}
