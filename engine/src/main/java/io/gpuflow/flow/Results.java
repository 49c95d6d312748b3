package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Observed;
import io.gpuflow.rules.FactScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the steps have brought so far, and what each step sees of it. */
final class Results {
    private final Order order;
    private final Map<String, Object> inputs;
    private final Map<String, StepResult> done = new ConcurrentHashMap<>();

    Results(Order order, Map<String, Object> inputs) {
        this.order = order;
        this.inputs = inputs;
    }

    void put(String step, StepResult result) {
        done.put(step, result);
    }

    /** Null while the step has not ended. */
    StepResult of(String step) {
        return done.get(step);
    }

    /** Facts of all steps that this one sees, in the order of the steps. */
    List<Observed> factsFor(Step step) {
        List<Observed> facts = new ArrayList<>();
        for (String other : order.sees(step.id())) {
            StepResult result = done.get(other);
            if (result != null) {
                facts.addAll(result.facts());
            }
        }
        return facts;
    }

    /** Facts of all steps, in the order of the steps. */
    List<Observed> allFacts(Workflow workflow) {
        List<Observed> facts = new ArrayList<>();
        for (Step step : workflow.steps()) {
            StepResult result = done.get(step.id());
            if (result != null) {
                facts.addAll(result.facts());
            }
        }
        return facts;
    }

    /** The names an expression of this step may use, but for its matrix. */
    Scope scopeFor(Step step) {
        Map<String, Object> steps = new LinkedHashMap<>();
        for (String other : order.sees(step.id())) {
            StepResult result = done.get(other);
            if (result != null) {
                steps.put(other, stepValue(other, result));
            }
        }
        FactScope facts = new FactScope(factsFor(step).stream().map(Observed::fact).toList());
        return name ->
                switch (name) {
                    case "inputs" -> inputs;
                    case "steps" -> steps;
                    case "facts" -> facts.values();
                    default -> new Value.Unknown("there is no " + name + " here");
                };
    }

    private static Map<String, Object> stepValue(String step, StepResult result) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("state", result.state() == null ? null : result.state().word());
        value.put("out", told(step, result.out()));
        return value;
    }

    /** An output that was left null is not known: no condition may read it as an absence. */
    private static Object told(String step, Object out) {
        if (out instanceof List<?> points) {
            return points.stream().map(point -> told(step, point)).toList();
        }
        if (!(out instanceof Map<?, ?> map)) {
            return out;
        }
        Map<String, Object> told = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = (String) entry.getKey();
            boolean known = entry.getValue() != null;
            String why = "step " + step + " did not tell " + name;
            told.put(name, known ? entry.getValue() : new Value.Unknown(why));
        }
        return told;
    }
}
