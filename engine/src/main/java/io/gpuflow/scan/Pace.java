package io.gpuflow.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which ranks' steps stop while the others' go on. Ranks that train together are at most one line
 * apart; one that lies two behind says nothing more, or is another's log that was cut.
 */
final class Pace {
    /** The last two lines of progress of one rank. */
    static final class Steps {
        Progress last;
        Progress before;

        void add(Progress earlier) {
            if (last == null) {
                last = earlier;
            } else if (before == null && earlier.step() < last.step()) {
                before = earlier;
            }
        }

        private long interval() {
            return before == null ? 1 : last.step() - before.step();
        }
    }

    private final Map<Integer, Steps> ranks = new TreeMap<>();

    void add(int rank, Steps steps) {
        ranks.merge(rank, steps, (a, b) -> a.last.step() >= b.last.step() ? a : b);
    }

    /** The ranks that lie behind most others, or none. */
    List<Integer> behind() {
        Steps lead = null;
        for (Steps s : ranks.values()) {
            lead = lead == null || s.last.step() > lead.last.step() ? s : lead;
        }
        List<Integer> behind = new ArrayList<>();
        for (Map.Entry<Integer, Steps> e : ranks.entrySet()) {
            Progress p = e.getValue().last;
            long gap = lead.last.step() - p.step();
            boolean sameEpoch = p.epoch() == null || p.epoch().equals(lead.last.epoch());
            if (sameEpoch && gap >= 2 * Math.max(lead.interval(), e.getValue().interval())) {
                behind.add(e.getKey());
            }
        }
        return 2 * behind.size() < ranks.size() ? behind : List.of();
    }

    /** What the rank showed last. */
    String last(int rank) {
        return ranks.get(rank).last.text();
    }
}
