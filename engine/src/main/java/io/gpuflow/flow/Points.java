package io.gpuflow.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The points of a step's matrix taken together. */
final class Points {
    private Points() {}

    /** The worst outcome; when all passed, what each of them says. */
    static Action.Outcome worst(List<Experiments.Point> points) {
        if (points.isEmpty()) {
            return new Action.Outcome(State.PASSED, "its matrix is empty", List.of(), Map.of());
        }
        Experiments.Point worst = points.get(0);
        List<String> said = new ArrayList<>();
        for (Experiments.Point point : points) {
            State before = worst.outcome().state();
            worst = before.worse(point.outcome().state()) == before ? worst : point;
            said.add(says(point));
        }
        Action.Outcome outcome = worst.outcome();
        String reason = outcome.state() == State.PASSED ? String.join("; ", said) : says(worst);
        return new Action.Outcome(outcome.state(), reason, List.of(), Map.of());
    }

    private static String says(Experiments.Point point) {
        String reason = point.outcome().reason();
        return point.prepared().matrix().isEmpty()
                ? reason
                : Words.coordinates(point.prepared().matrix()) + ": " + reason;
    }
}
