package io.gpuflow.flow.lint;

import com.google.re2j.Pattern;
import io.gpuflow.expr.Type;
import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.Extract;
import io.gpuflow.flow.Input;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlNode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Which names an expression may use, with their types, by the place where it stands. */
final class Names {
    private static final String STEPS_LATER = "it is set before any step runs: use the step's own";

    private static final String NOT_BEFORE =
            "it does not run before this one: add it to needs: or after:";

    private final Draft draft;

    /** Outputs by step; needed by every later step, so worked out once. */
    private final Map<String, Type> outs = new HashMap<>();

    private final Map<String, Type> asked = new HashMap<>();
    private Type facts;

    private final Map<Fields, Type.Fields> scopes = new IdentityHashMap<>();

    Names(Draft draft) {
        this.draft = draft;
    }

    /** In the workflow's own env: only what is known before the first step. */
    Type.Fields ofWorkflow() {
        Map<String, String> absent = new HashMap<>();
        absent.put("steps", STEPS_LATER + " env:");
        absent.put("matrix", STEPS_LATER + " env:");
        absent.put("facts", STEPS_LATER + " env:");
        return new Type.Fields("the workflow", Map.of("inputs", inputs()), absent);
    }

    /** In the {@code if:} of a step and of an experiment, and in the axes of a matrix. */
    Type.Fields ofCondition(Fields step) {
        Type.Fields known = scopes.get(step);
        if (known == null) {
            known = conditionScope(step);
            scopes.put(step, known);
        }
        return known;
    }

    private Type.Fields conditionScope(Fields step) {
        Map<String, Type> names = new LinkedHashMap<>();
        names.put("inputs", inputs());
        names.put("steps", steps(step));
        names.put("facts", facts());
        Map<String, String> absent = new HashMap<>();
        absent.put("matrix", "this is asked once, before the step is split by its matrix");
        absent.put("out", "only outputs: can look at what the step itself brings");
        absent.put("env", "read a variable of the caller with an input: -i name=\"$NAME\"");
        return new Type.Fields("this step", names, absent);
    }

    /** Everywhere else in a step. */
    Type.Fields ofStep(Fields step) {
        Type.Fields names = ofCondition(step);
        return step.has(draft.keys.matrix) ? names.with("matrix", matrix(step)) : noMatrix(names);
    }

    private static Type.Fields noMatrix(Type.Fields names) {
        Map<String, String> absent = new HashMap<>(names.absent());
        absent.put("matrix", "the step has no matrix:");
        return new Type.Fields(names.what(), names.fields(), absent);
    }

    /** In {@code outputs:}, where {@code out} is what the step's own work brought. */
    Type.Fields ofOutputs(Fields step) {
        Type out = step.has(draft.keys.parse) ? Type.ANY : Type.fields("out", brought(step));
        return ofStep(step).with("out", out);
    }

    /** Listing all facts takes time, and few workflows look at one. */
    private Type facts() {
        if (facts == null) {
            facts = draft.text.contains("facts") ? draft.catalog.facts().get() : Type.ANY;
        }
        return facts;
    }

    private Type.Fields inputs() {
        Map<String, Type> types = new LinkedHashMap<>();
        draft.workflow.get(draft.table.inputs).forEach((name, i) -> types.put(name, type(i)));
        return Type.fields("inputs", types);
    }

    private static Type type(Input input) {
        return switch (input.type()) {
            case TEXT, FILE -> Type.TEXT;
            case INT -> Type.INT;
            case NUMBER -> Type.DOUBLE;
            case FLAG -> Type.BOOL;
            case LIST -> Type.listOf(Type.TEXT);
            case DURATION -> Type.DURATION;
        };
    }

    private Type.Fields steps(Fields step) {
        String id = draft.id(step);
        Set<String> before = id == null ? draft.steps.keySet() : draft.before(id);
        Map<String, Type> types = new LinkedHashMap<>();
        Map<String, String> absent = new HashMap<>();
        for (String other : draft.steps.keySet()) {
            if (before.contains(other)) {
                types.put(other, step(other));
            } else if (other.equals(id)) {
                absent.put(other, "a step can't look at itself; outputs: can, with out");
            } else {
                absent.put(other, NOT_BEFORE);
            }
        }
        return new Type.Fields("steps", types, absent);
    }

    private Type step(String id) {
        Type known = asked.get(id);
        if (known == null) {
            Map<String, Type> parts = new LinkedHashMap<>();
            parts.put("state", Type.TEXT);
            parts.put("out", outOf(id));
            known = Type.fields("step " + id, parts);
            asked.put(id, known);
        }
        return known;
    }

    /** Steps of a cycle ask for each other's outputs: the one asked twice stays open. */
    private Type outOf(String id) {
        Type known = outs.putIfAbsent(id, Type.ANY);
        if (known != null) {
            return known;
        }
        Type type = out(id);
        outs.put(id, type);
        return type;
    }

    /** What {@code steps.ID.out} is: a map, or for a matrix a list with one map a combination. */
    private Type out(String id) {
        Fields step = draft.steps.get(id);
        Map<String, Type> outputs = new LinkedHashMap<>(brought(step));
        step.get(draft.keys.outputs).keySet().forEach(name -> outputs.put(name, Type.ANY));
        boolean unread = step.has(draft.keys.uses) && step.get(draft.keys.uses) == null;
        if (unread || step.has(draft.keys.parse)) {
            // A parser leaves out what does not apply, so its keys can't be told from here.
            return step.has(draft.keys.matrix) ? Type.listOf(Type.ANY) : Type.ANY;
        }
        Type.Fields one = Type.fields("the output of " + id, outputs);
        if (step.has(draft.keys.matrix)) {
            return Type.listOf(one.with("matrix", matrix(step)));
        }
        return one;
    }

    private Map<String, Type> brought(Fields step) {
        Map<String, Type> outputs = new LinkedHashMap<>();
        Catalog.ActionInfo action = draft.catalog.action(step.get(draft.keys.uses));
        if (action != null) {
            outputs.putAll(action.out());
        }
        Extract extract = step.get(draft.keys.extract);
        if (extract != null) {
            extract.json().keySet().forEach(name -> outputs.put(name, Type.ANY));
            for (Pattern pattern : extract.patterns()) {
                pattern.namedGroups().keySet().forEach(g -> outputs.put(g, type(extract, g)));
            }
        }
        return outputs;
    }

    private static Type type(Extract extract, String group) {
        Extract.ValueType type = extract.types().get(group);
        return switch (type == null ? Extract.ValueType.TEXT : type) {
            case TEXT -> Type.TEXT;
            case INT -> Type.INT;
            case DOUBLE -> Type.DOUBLE;
            case BOOL -> Type.BOOL;
        };
    }

    private Type.Fields matrix(Fields step) {
        Map<String, Type> types = new LinkedHashMap<>();
        if (step.node(draft.keys.matrix) instanceof YamlNode.Entries axes) {
            for (YamlNode.Entry axis : axes.entries()) {
                // Problems in the axes themselves are told elsewhere, once.
                Type type = Expressions.check(axis.value(), ofCondition(step), new Problems());
                types.put(
                        axis.key().value(),
                        type instanceof Type.ListOf list ? list.item() : Type.ANY);
            }
        }
        return Type.fields("matrix", types);
    }
}
