package io.gpuflow.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In which order the steps of a workflow run, and whose facts each one sees.
 *
 * <p>Steps run in file order, but for what they need or come after. A step that loads or changes
 * the machine runs alone: all that stands before it has ended, nothing that stands after it has
 * begun. The read steps between two of those run side by side. A step sees the facts of every
 * earlier stage and, within its own, of the steps that it needs or comes after: what it sees never
 * depends on how quick another step is.
 */
final class Order {
    /** Steps that may run side by side; one that loads or changes the machine is a stage alone. */
    record Stage(List<Step> steps) {}

    private final List<Stage> stages = new ArrayList<>();
    private final Map<String, List<String>> sees = new HashMap<>();

    Order(Workflow workflow) {
        List<Step> reads = new ArrayList<>();
        List<String> earlier = new ArrayList<>();
        for (Step step : sorted(workflow.steps())) {
            if (step.effect() == Effect.READ) {
                reads.add(step);
                continue;
            }
            stage(reads, earlier);
            stage(List.of(step), earlier);
            reads.clear();
        }
        stage(reads, earlier);
    }

    /** The stages, one after the other. */
    List<Stage> stages() {
        return stages;
    }

    /** Ids of the steps whose facts the step sees, in the order in which the steps stand. */
    List<String> sees(String step) {
        return sees.get(step);
    }

    private void stage(List<Step> steps, List<String> earlier) {
        if (steps.isEmpty()) {
            return;
        }
        stages.add(new Stage(List.copyOf(steps)));
        Set<String> here = new LinkedHashSet<>();
        for (Step step : steps) {
            Set<String> before = new LinkedHashSet<>();
            for (String other : waitsFor(step)) {
                if (here.contains(other)) {
                    before.addAll(sees.get(other));
                    before.add(other);
                }
            }
            List<String> all = new ArrayList<>(earlier);
            before.removeAll(earlier);
            all.addAll(before);
            sees.put(step.id(), List.copyOf(all));
            here.add(step.id());
        }
        earlier.addAll(here);
    }

    /** Each step after those it waits for, else as they stand in the file. */
    private static List<Step> sorted(List<Step> steps) {
        List<Step> left = new ArrayList<>(steps);
        List<Step> sorted = new ArrayList<>();
        Set<String> placed = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            Step next =
                    left.stream()
                            .filter(s -> placed.containsAll(waitsFor(s)))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("a cycle of steps"));
            left.remove(next);
            sorted.add(next);
            placed.add(next.id());
        }
        return sorted;
    }

    /** Steps that must have ended before this one may begin. */
    static Set<String> waitsFor(Step step) {
        Set<String> all = new LinkedHashSet<>(step.needs());
        all.addAll(step.after());
        return all;
    }
}
