package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Sighting;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import io.gpuflow.facts.Verdict.Level;
import io.gpuflow.facts.Verdict.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses among several causes that rules found: the earliest, unless a later one is much surer.
 * The others are told as what contributed or followed.
 */
final class Causality {
    /** A later cause must be surer than an earlier one by more than this. */
    private static final double MUCH_SURER = 0.15;

    private final Map<Source, Integer> order = new HashMap<>();
    private boolean ordered;

    Causality(List<Observed> facts) {
        for (Observed o : facts) {
            // A setting or version stands early in every log; the failure that it led to does not.
            if (o.fact() instanceof Sighting s && !s.kind().equals("context")) {
                order.merge(o.source(), s.order(), Math::min);
            } else if (o.fact() instanceof Incident i) {
                ordered = i.ordered();
            }
        }
    }

    /** The root first; the order of the rest is kept, without what only says that it is open. */
    List<Verdict> choose(List<Verdict> verdicts) {
        Verdict root = null;
        for (Verdict v : verdicts) {
            if (v.role() == Role.ROOT && v.level() != Level.INFO) {
                root = root == null ? v : better(root, v);
            }
        }
        if (root == null) {
            return verdicts;
        }
        List<Verdict> chosen = new ArrayList<>();
        chosen.add(root);
        for (Verdict v : verdicts) {
            if (v != root && !saysOpen(v)) {
                boolean other = v.role() == Role.ROOT && v.level() != Level.INFO;
                chosen.add(other ? beside(root, v) : v);
            }
        }
        return List.copyOf(chosen);
    }

    /** It only says that the cause is open, which is not so beside a cause. */
    private static boolean saysOpen(Verdict v) {
        return v.role() == Role.INFO && v.cause() == null && v.area().equals("waiting");
    }

    private Verdict better(Verdict a, Verdict b) {
        if (a.level() != b.level()) {
            return a.level().compareTo(b.level()) < 0 ? a : b;
        }
        boolean aFirst = ordered && place(a) < place(b);
        boolean bFirst = ordered && place(b) < place(a);
        if (aFirst) {
            return b.confidence() > a.confidence() + MUCH_SURER ? b : a;
        }
        if (bFirst) {
            return a.confidence() > b.confidence() + MUCH_SURER ? a : b;
        }
        return b.confidence() > a.confidence() ? b : a;
    }

    /** The place of its earliest line; last without one. */
    private int place(Verdict v) {
        return v.evidence().stream()
                .mapToInt(s -> order.getOrDefault(s, Integer.MAX_VALUE))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private Verdict beside(Verdict root, Verdict v) {
        boolean after = ordered && place(root) < place(v);
        Role role = after ? Role.CONSEQUENCE : Role.CONTRIBUTING;
        return v.ranked(role, v.level(), after ? root.id() : null);
    }
}
