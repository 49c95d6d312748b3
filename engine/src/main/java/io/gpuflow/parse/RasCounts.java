package io.gpuflow.parse;

import io.gpuflow.parse.RasReport.Rank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How far the ranks of one communicator have come, by operation; tells who is behind or ahead. */
final class RasCounts {
    private final String comm;
    private final Map<String, Map<Long, Long>> ranksAt = new LinkedHashMap<>();
    private final Map<String, Map<Integer, Long>> each = new LinkedHashMap<>();
    private final Map<Integer, Rank> known = new LinkedHashMap<>();
    private String operation = "";

    RasCounts(String comm) {
        this.comm = comm;
    }

    void operation(String name) {
        operation = name;
    }

    /** So many ranks have launched up to the number; not told which. */
    void many(long ranks, long launched) {
        ranksAt.computeIfAbsent(operation, o -> new HashMap<>()).put(launched, ranks);
    }

    void one(Rank rank, long launched) {
        known.putIfAbsent(rank.rank(), rank);
        each.computeIfAbsent(operation, o -> new LinkedHashMap<>()).put(rank.rank(), launched);
    }

    /** The ranks that differ from what most have launched; of two ranks, both. */
    List<Rank> outliers() {
        Map<Integer, String> states = new LinkedHashMap<>();
        Map<Integer, Long> launched = new HashMap<>();
        Map<Integer, Long> others = new HashMap<>();
        Map<Integer, String> where = new HashMap<>();
        each.forEach(
                (operation, counts) -> {
                    long usual = usual(operation, counts);
                    counts.forEach(
                            (rank, n) -> {
                                if (n != usual) {
                                    String state = n < usual ? "behind" : "ahead";
                                    states.merge(
                                            rank, state, (a, b) -> a.equals(b) ? a : "differs");
                                    launched.putIfAbsent(rank, n);
                                    others.putIfAbsent(rank, usual);
                                    where.putIfAbsent(rank, operation);
                                }
                            });
                });
        List<Rank> out = new ArrayList<>();
        states.forEach(
                (rank, state) -> {
                    Rank r = known.get(rank);
                    out.add(
                            new Rank(
                                    comm,
                                    rank,
                                    r.pid(),
                                    r.node(),
                                    state,
                                    launched.get(rank),
                                    others.get(rank),
                                    where.get(rank),
                                    r.line()));
                });
        return out;
    }

    /** What most ranks have launched; the greatest such number, so that laggards are told. */
    private long usual(String operation, Map<Integer, Long> counts) {
        Map<Long, Long> votes = new HashMap<>(ranksAt.getOrDefault(operation, Map.of()));
        // Outliers of a number that was told in bulk are among those already.
        Map<Long, Long> listed = new HashMap<>();
        counts.values().forEach(n -> listed.merge(n, 1L, Long::sum));
        listed.forEach((n, ranks) -> votes.merge(n, ranks, Math::max));
        long usual = 0;
        long most = -1;
        for (Map.Entry<Long, Long> vote : votes.entrySet()) {
            boolean more = vote.getValue() > most;
            if (more || vote.getValue() == most && vote.getKey() > usual) {
                usual = vote.getKey();
                most = vote.getValue();
            }
        }
        return usual;
    }
}
