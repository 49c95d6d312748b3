package io.gpuflow.rules;

import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which verdicts are told: what else follows from first, worst first, dearest first. A
 * verdict that another one explains is moved beneath it.
 */
final class Ranking {
    private final Map<String, RuleCard> cards;
    private final Comparator<Verdict> order;

    Ranking(Map<String, RuleCard> cards) {
        this.cards = cards;
        this.order =
                Comparator.comparing((Verdict v) -> v.role() == Verdict.Role.CONSEQUENCE)
                        .thenComparing(Verdict::level)
                        .thenComparing(Verdict::role)
                        .thenComparing(v -> cards.get(v.id()).costs())
                        .thenComparing(v -> -v.confidence())
                        .thenComparing(Verdict::id)
                        .thenComparing(Verdict::says);
    }

    List<Verdict> rank(List<Verdict> verdicts) {
        Map<String, Verdict> best = new LinkedHashMap<>();
        verdicts.stream().sorted(order).forEach(v -> best.putIfAbsent(v.id(), v));
        List<Verdict> ranked = new ArrayList<>();
        for (Verdict v : verdicts) {
            String above = top(v.id(), best, new HashSet<>());
            ranked.add(
                    above.equals(v.id())
                            ? v
                            : v.ranked(Verdict.Role.CONSEQUENCE, v.level(), above));
        }
        ranked.replaceAll(v -> v.under() == null ? raised(v, ranked) : v);
        ranked.sort(order);
        return List.copyOf(ranked);
    }

    /** The verdict at the head of the chain of explanations, or the verdict itself. */
    private String top(String id, Map<String, Verdict> best, Set<String> seen) {
        if (!seen.add(id)) {
            return id;
        }
        Verdict self = best.get(id);
        return best.values().stream()
                .filter(v -> explains(v, self))
                .min(order)
                .map(v -> top(v.id(), best, seen))
                .orElse(id);
    }

    /** Named by the card, or the same cause found in another area: from a log and from a probe. */
    private boolean explains(Verdict v, Verdict self) {
        if (v.id().equals(self.id())) {
            return false;
        }
        List<String> follows = cards.get(self.id()).follows();
        boolean root = v.role() == Verdict.Role.ROOT;
        if (follows.contains(v.id()) || (root && follows.contains(v.area() + "/*"))) {
            return true;
        }
        return root
                && self.role() != Verdict.Role.INFO
                && v.cause() != null
                && v.cause().equals(self.cause())
                && !v.area().equals(self.area())
                && order.compare(v, self) < 0;
    }

    /** What explains a failure is no mere note: it is as bad as the worst that follows from it. */
    private static Verdict raised(Verdict root, List<Verdict> all) {
        Verdict.Level worst =
                all.stream()
                        .filter(v -> root.id().equals(v.under()))
                        .map(Verdict::level)
                        .reduce(root.level(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        return worst == root.level() ? root : root.ranked(root.role(), worst, null);
    }
}
