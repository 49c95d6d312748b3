package io.gpuflow.flow;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses, among what rules advise and a step declares, what is tried next and where. */
final class Advised {
    private final Judgement judgement;
    private final Step step;

    Advised(Judgement judgement, Step step) {
        this.judgement = judgement;
        this.step = step;
    }

    /** Worst finding first, then as the step lists them. */
    List<Advice> inOrder(Set<String> tried) {
        List<String> names = List.copyOf(step.experiments().keySet());
        List<Advice> declared = new ArrayList<>();
        for (Advice advice : judgement.advice()) {
            if (names.contains(advice.experiment()) && !tried.contains(advice.experiment())) {
                declared.add(advice);
            }
        }
        declared.sort(
                Comparator.comparing(this::level)
                        .thenComparing(advice -> names.indexOf(advice.experiment())));
        return declared;
    }

    private Verdict.Level level(Advice advice) {
        Verdict verdict = verdict(advice);
        return verdict == null ? Verdict.Level.INFO : verdict.level();
    }

    private Verdict verdict(Advice advice) {
        return judgement.verdicts().stream()
                .filter(v -> v.id().equals(advice.rule()))
                .findFirst()
                .orElse(null);
    }

    /** The point that the advising finding speaks of; else the first that did not pass. */
    Experiments.Point point(Advice advice, List<Experiments.Point> points) {
        Verdict verdict = verdict(advice);
        for (Experiments.Point point : points) {
            Map<String, Object> at = point.prepared().matrix();
            if (verdict != null
                    && !at.isEmpty()
                    && verdict.values().entrySet().containsAll(at.entrySet())) {
                return point;
            }
        }
        return points.stream()
                .filter(p -> p.outcome().state() != State.PASSED)
                .findFirst()
                .orElse(points.get(0));
    }
}
