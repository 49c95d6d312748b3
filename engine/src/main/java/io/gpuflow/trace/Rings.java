package io.gpuflow.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Strongly connected ranks of a wait-for graph, by Tarjan's algorithm without recursion. */
final class Rings {
    private final Map<Integer, Set<Integer>> waits;
    private final Map<Integer, Integer> index = new HashMap<>();
    private final Map<Integer, Integer> low = new HashMap<>();
    private final Set<Integer> open = new HashSet<>();
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final List<Set<Integer>> rings = new ArrayList<>();

    private record Visit(int rank, Iterator<Integer> next) {}

    private Rings(Map<Integer, Set<Integer>> waits) {
        this.waits = waits;
    }

    /** The sets of two or more ranks that wait for each other, directly or through others. */
    static List<Set<Integer>> of(Map<Integer, Set<Integer>> waits) {
        Rings found = new Rings(waits);
        new TreeSet<>(waits.keySet()).forEach(found::from);
        return found.rings;
    }

    private void from(int root) {
        if (index.containsKey(root)) {
            return;
        }
        Deque<Visit> path = new ArrayDeque<>();
        path.push(enter(root));
        while (!path.isEmpty()) {
            Visit visit = path.peek();
            if (visit.next.hasNext()) {
                int next = visit.next.next();
                if (!index.containsKey(next)) {
                    path.push(enter(next));
                } else if (open.contains(next)) {
                    low.merge(visit.rank, index.get(next), Math::min);
                }
            } else {
                path.pop();
                if (!path.isEmpty()) {
                    low.merge(path.peek().rank, low.get(visit.rank), Math::min);
                }
                close(visit.rank);
            }
        }
    }

    private Visit enter(int rank) {
        index.put(rank, index.size());
        low.put(rank, index.get(rank));
        stack.push(rank);
        open.add(rank);
        return new Visit(rank, waits.getOrDefault(rank, Set.of()).iterator());
    }

    private void close(int rank) {
        if (!low.get(rank).equals(index.get(rank))) {
            return;
        }
        Set<Integer> ring = new TreeSet<>();
        int member;
        do {
            member = stack.pop();
            open.remove(member);
            ring.add(member);
        } while (member != rank);
        if (ring.size() > 1) {
            rings.add(ring);
        }
    }
}
