package io.gpuflow.flow.lint;

import io.gpuflow.flow.Catalog;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A workflow whose keys and values were read, but whose references were not yet checked. */
final class Draft {
    /** {@code after: all}: every step above in the file. */
    static final String ALL = "all";

    final WorkflowTable table;
    final StepTable keys;
    final Fields workflow;
    final String text;
    final Catalog catalog;
    final Problems problems;

    /** Steps by id, in file order; of two with the same id the first. */
    final Map<String, Fields> steps = new LinkedHashMap<>();

    private final Map<Fields, List<String>> waits = new IdentityHashMap<>();

    Draft(WorkflowTable table, Fields workflow, String text, Catalog catalog, Problems problems) {
        this.text = text;
        this.table = table;
        this.keys = table.step;
        this.workflow = workflow;
        this.catalog = catalog;
        this.problems = problems;
        for (Fields step : all()) {
            if (id(step) != null) {
                steps.putIfAbsent(id(step), step);
            }
        }
    }

    /** Every step, those without a right id too. */
    List<Fields> all() {
        List<Fields> all = workflow.get(table.steps);
        return all == null ? List.of() : all;
    }

    /** Null when the id was reported. */
    String id(Fields step) {
        return step.get(keys.id);
    }

    /**
     * Ids of the steps that this one comes after, for needs and after alike, {@code all} spelled
     * out.
     */
    List<String> waitsFor(Fields step) {
        return waits.computeIfAbsent(step, this::waits);
    }

    private List<String> waits(Fields step) {
        Set<String> ids = new LinkedHashSet<>(named(step, keys.needs));
        ids.addAll(named(step, keys.after));
        return List.copyOf(ids);
    }

    /** Ids of existing steps that a key names. */
    List<String> named(Fields step, Key<List<String>> key) {
        List<String> ids = new ArrayList<>();
        for (String id : step.get(key)) {
            if (key == keys.after && id.equals(ALL)) {
                ids.addAll(above(step));
            } else if (steps.containsKey(id)) {
                ids.add(id);
            }
        }
        return ids.stream().distinct().toList();
    }

    private List<String> above(Fields step) {
        List<String> ids = new ArrayList<>();
        for (Map.Entry<String, Fields> other : steps.entrySet()) {
            if (other.getValue() == step) {
                break;
            }
            ids.add(other.getKey());
        }
        return ids;
    }

    /** Every step that has ended before this one begins. */
    Set<String> before(String id) {
        Set<String> before = new LinkedHashSet<>();
        List<String> open = new ArrayList<>(waitsFor(steps.get(id)));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (before.add(next)) {
                open.addAll(waitsFor(steps.get(next)));
            }
        }
        return before;
    }

    /** The names that stand under a key, each with its place. */
    List<YamlNode.Scalar> places(Fields step, Key<List<String>> key) {
        return step.has(key) ? Shapes.scalars(step.node(key)) : List.of();
    }
}
