package io.gpuflow.flow.lint;

import io.gpuflow.expr.Nearest;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.YamlNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ids that are there twice, references to steps that don't exist, steps that wait for each other.
 */
final class StepLinks {
    private final Draft draft;

    StepLinks(Draft draft) {
        this.draft = draft;
    }

    void check() {
        Set<String> seen = new HashSet<>();
        for (Fields step : draft.all()) {
            id(step, seen);
            references(step, draft.keys.needs);
            references(step, draft.keys.after);
        }
        cycles();
    }

    private void id(Fields step, Set<String> seen) {
        String id = draft.id(step);
        if (id == null) {
            return;
        }
        if (id.equals(Draft.ALL)) {
            step.problem(draft.keys.id, "a step can't be called all", "choose another id");
        }
        if (!seen.add(id)) {
            int first = draft.steps.get(id).node(draft.keys.id).at().line();
            String next = "the first one is on line " + first + ": rename one";
            step.problem(draft.keys.id, "two steps are called " + id, next);
        }
    }

    private void references(Fields step, Key<List<String>> key) {
        Set<String> seen = new HashSet<>();
        for (YamlNode.Scalar place : draft.places(step, key)) {
            String name = place.value();
            boolean all = key == draft.keys.after && name.equals(Draft.ALL);
            if (!step.get(key).contains(name) || all) {
                continue;
            }
            if (!draft.steps.containsKey(name)) {
                String hint = Nearest.hint(name, draft.steps.keySet());
                draft.problems.at(place, "there is no step " + name, hint);
            } else if (!seen.add(name)) {
                draft.problems.at(place, name + " is here twice", "name it once");
            } else if (key == draft.keys.after && step.get(draft.keys.needs).contains(name)) {
                String next = "needs: says it already: remove it here";
                draft.problems.at(place, name + " is under needs: and after:", next);
            }
        }
    }

    /** Reports each cycle once, from its first step in the file. */
    private void cycles() {
        List<String> order = List.copyOf(draft.steps.keySet());
        Map<String, Integer> position = new HashMap<>();
        order.forEach(id -> position.put(id, position.size()));
        Set<String> told = new HashSet<>();
        for (String start : order) {
            if (!told.contains(start)) {
                List<String> cycle = cycle(start, position);
                told.addAll(cycle);
                if (!cycle.isEmpty()) {
                    report(cycle);
                }
            }
        }
    }

    /**
     * The shortest way from a step back to itself through steps below it; empty when there is none.
     */
    private List<String> cycle(String start, Map<String, Integer> position) {
        Map<String, String> from = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            String id = open.poll();
            for (String next : draft.waitsFor(draft.steps.get(id))) {
                if (next.equals(start)) {
                    return path(start, id, from);
                }
                if (position.get(next) > position.get(start)
                        && from.putIfAbsent(next, id) == null) {
                    open.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<String> path(String start, String end, Map<String, String> from) {
        List<String> path = new ArrayList<>();
        for (String id = end; !id.equals(start); id = from.get(id)) {
            path.add(id);
        }
        path.add(start);
        Collections.reverse(path);
        return path;
    }

    private void report(List<String> cycle) {
        String first = cycle.get(0);
        Fields step = draft.steps.get(first);
        if (cycle.size() == 1) {
            draft.problems.at(place(step, first), "a step can't wait for itself", "remove it");
            return;
        }
        String way = String.join(" waits for ", cycle) + " waits for " + first;
        String next = "remove one of these from needs: or after:";
        draft.problems.at(place(step, cycle.get(1)), "a cycle: " + way, next);
    }

    private YamlNode place(Fields step, String name) {
        List<YamlNode.Scalar> places = new ArrayList<>(draft.places(step, draft.keys.needs));
        places.addAll(draft.places(step, draft.keys.after));
        for (YamlNode.Scalar place : places) {
            if (place.value().equals(name)) {
                return place;
            }
        }
        return places.isEmpty() ? step.node() : places.get(places.size() - 1);
    }
}
