package io.gpuflow.scan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rank a line speaks for, when the line itself does not say: by process id, by rank on the
 * node, or because only one rank can have said it.
 */
final class Ranks {
    private static final int MOST = 65_536;

    private final Map<String, Integer> byPid = new HashMap<>();
    private final Map<Integer, Integer> byLocal = new HashMap<>();
    private final Set<Integer> all = new TreeSet<>();
    private boolean manyHosts;
    Integer world;
    Integer nodes;

    Ranks(List<Event> events) {
        Set<String> hosts = new TreeSet<>();
        for (Event e : events) {
            learn(e, hosts);
        }
        manyHosts = hosts.size() > 1;
        for (Event e : events) {
            if (e.rank == null) {
                e.rank = find(e);
            }
            if (e.rank != null) {
                all.add(e.rank);
            }
        }
    }

    private void learn(Event e, Set<String> hosts) {
        if (e.host != null && e.id().equals(Collector.REPORT)) {
            hosts.add(e.host);
        }
        world = most(world, e.values.get("nranks"));
        world = most(world, e.values.get("world"));
        nodes = most(nodes, e.values.get("nodes"));
        if (e.rank == null) {
            return;
        }
        if (e.pid != null) {
            // The same process id on two hosts tells nothing without the host.
            byPid.merge(e.host + ":" + e.pid, e.rank, Ranks::same);
            byPid.merge(":" + e.pid, e.rank, Ranks::same);
        }
        if (e.localRank != null) {
            byLocal.merge(e.localRank, e.rank, Ranks::same);
        }
    }

    private static Integer same(Integer a, Integer b) {
        return a.equals(b) ? a : Integer.valueOf(-1);
    }

    private static Integer most(Integer known, String digits) {
        Integer n = Prefix.number(digits);
        return n == null ? known : known == null ? n : Integer.valueOf(Math.max(known, n));
    }

    private Integer find(Event e) {
        Integer rank = null;
        if (e.pid != null) {
            rank = byPid.get(e.host + ":" + e.pid);
            rank = rank == null ? byPid.get(":" + e.pid) : rank;
        }
        if (rank == null && e.localRank != null) {
            rank = byLocal.getOrDefault(e.localRank, manyHosts ? null : e.localRank);
        }
        return rank == null || rank < 0 ? null : rank;
    }

    /** The rank of a process, or null. */
    Integer ofPid(Integer pid) {
        Integer rank = pid == null ? null : byPid.get(":" + pid);
        return rank == null || rank < 0 ? null : rank;
    }

    /** Every rank that is known to exist. */
    Set<Integer> all() {
        Set<Integer> known = new TreeSet<>(all);
        // A rank below another one exists, though no line speaks for it.
        int most = world != null ? world : all.stream().mapToInt(r -> r + 1).max().orElse(0);
        for (int r = 0; r < Math.min(most, MOST); r++) {
            known.add(r);
        }
        return known;
    }
}
