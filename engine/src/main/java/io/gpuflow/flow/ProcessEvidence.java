package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ProcessState;
import io.gpuflow.facts.RasRank;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts together what several answers say of one process: two RAS answers tell whether a count still
 * moves, and RAS knows the rank of a process of which only the number was saved.
 */
final class ProcessEvidence {
    private final Map<RasRank, Set<String>> seenIn = new HashMap<>();
    private final Map<Integer, Set<Integer>> ranksOf = new HashMap<>();
    private final Set<String> answers = new HashSet<>();

    private ProcessEvidence(List<Observed> facts) {
        for (Observed o : facts) {
            if (o.fact() instanceof RasRank r) {
                answers.add(o.source().text());
                seenIn.computeIfAbsent(r, k -> new HashSet<>()).add(o.source().text());
                if (r.pid() != null) {
                    ranksOf.computeIfAbsent(r.pid(), p -> new HashSet<>()).add(r.rank());
                }
            }
        }
    }

    /** The same facts, completed. */
    static List<Observed> joined(List<Observed> facts) {
        ProcessEvidence evidence = new ProcessEvidence(facts);
        Set<Observed> joined = new LinkedHashSet<>();
        Set<RasRank> told = new HashSet<>();
        for (Observed o : facts) {
            if (o.fact() instanceof RasRank r) {
                if (told.add(r)) {
                    joined.add(evidence.of(r, o.source()));
                }
            } else if (o.fact() instanceof ProcessState p && p.rank() == null) {
                joined.add(evidence.of(p, o.source()));
            } else {
                joined.add(o);
            }
        }
        return new ArrayList<>(joined);
    }

    private Observed of(RasRank r, Source source) {
        Boolean frozen = answers.size() < 2 ? null : Boolean.valueOf(seenIn.get(r).size() > 1);
        RasRank fact =
                new RasRank(
                        r.comm(),
                        r.rank(),
                        r.pid(),
                        r.node(),
                        r.state(),
                        r.launched(),
                        r.others(),
                        r.detail(),
                        frozen);
        return new Observed(fact, source);
    }

    /** A number that stands for two ranks is one of two hosts. */
    private Observed of(ProcessState p, Source source) {
        Set<Integer> ranks = ranksOf.getOrDefault(p.pid(), Set.of());
        Integer rank = ranks.size() == 1 ? ranks.iterator().next() : null;
        ProcessState fact = new ProcessState(p.pid(), rank, p.state(), p.waitsIn(), p.command());
        return new Observed(fact, source);
    }
}
