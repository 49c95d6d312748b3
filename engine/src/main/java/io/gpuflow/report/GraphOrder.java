package io.gpuflow.report;

import io.gpuflow.flow.Step;
import io.gpuflow.flow.Workflow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The order in which a drawing lists the steps: file order, but for what must come first. */
final class GraphOrder {
    private GraphOrder() {}

    static List<Step> of(Workflow workflow) {
        List<Step> left = new ArrayList<>(workflow.steps());
        List<Step> ordered = new ArrayList<>();
        Set<String> placed = new HashSet<>();
        while (!left.isEmpty()) {
            // A checked workflow has no cycles, so one step can always be placed.
            Step next =
                    left.stream()
                            .filter(s -> placed.containsAll(waitsFor(s)))
                            .findFirst()
                            .orElseThrow();
            left.remove(next);
            placed.add(next.id());
            ordered.add(next);
        }
        return ordered;
    }

    static Set<String> waitsFor(Step step) {
        Set<String> all = new LinkedHashSet<>(step.needs());
        all.addAll(step.after());
        return all;
    }
}
