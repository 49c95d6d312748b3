package io.gpuflow.trace;

import io.gpuflow.facts.CollectiveState;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.RankState;
import io.gpuflow.facts.Stall;
import io.gpuflow.facts.WaitFor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who waits for whom, over all process groups of a job.
 *
 * <p>A rank with an open collective waits for each member that has not issued it. A rank that
 * others wait for and that has nothing open itself is outside any collective (state python). A rank
 * whose open collectives were issued by all and completed by a peer is held up by its own device
 * (state device). Ranks that wait in a ring have ordered their calls differently. Everything else
 * that waits is a victim.
 */
public final class WaitGraph {
    private final Map<Integer, RankDump> dumps = new TreeMap<>();
    private final Set<Integer> idle = new HashSet<>();
    private final Map<RankDump.Key, GroupView> groups = new LinkedHashMap<>();
    private final Map<Integer, Map<Integer, Edge>> waits = new TreeMap<>();
    private final Map<GroupView, Mismatch> mismatches = new IdentityHashMap<>();
    private final Map<Integer, GroupView> stalled = new TreeMap<>();

    private record Edge(
            int on, GroupView group, long sequence, String operation, boolean pointToPoint) {}

    /**
     * @param all at most one dump a rank; a later one of the same rank is ignored
     */
    WaitGraph(Collection<RankDump> all) {
        all.forEach(d -> dumps.putIfAbsent(d.rank(), d));
        for (RankDump dump : dumps.values()) {
            if (dump.idle()) {
                idle.add(dump.rank());
            }
            place(dump);
        }
        for (GroupView group : groups.values()) {
            Mismatch mismatch = Mismatch.first(group);
            if (mismatch != null) {
                mismatches.put(group, mismatch);
            }
            collectives(group);
            pointToPoint(group);
        }
        idleMembers();
    }

    private void place(RankDump dump) {
        List<GroupView.Member> parts = new ArrayList<>();
        for (RankDump.Group g : dump.groups()) {
            GroupView view =
                    groups.computeIfAbsent(
                            g.key(), k -> new GroupView(g.name(), g.kind(), g.members()));
            GroupView.Member member = view.seen.computeIfAbsent(dump.rank(), GroupView.Member::new);
            member.enqueued = Math.max(member.enqueued, g.enqueued());
            member.completed = Math.max(member.completed, g.completed());
            member.told |= g.enqueued() >= 0;
            parts.add(member);
        }
        for (Call call : dump.calls()) {
            parts.get(call.group()).add(call);
        }
    }

    private void collectives(GroupView group) {
        for (GroupView.Member member : group.seen.values()) {
            Call open = member.oldestOpen;
            if (open == null) {
                continue;
            }
            boolean peerCompleted = false;
            boolean allIssued = true;
            for (GroupView.Member peer : group.seen.values()) {
                if (peer == member || !peer.told) {
                    allIssued &= peer == member;
                    continue;
                }
                peerCompleted |= peer.completed >= open.sequence();
                allIssued &= peer.issued(open.sequence());
                if (!peer.issued(open.sequence())) {
                    edge(member.rank, peer.rank, group, open, false);
                }
            }
            if (allIssued && peerCompleted && deviceProof(open) && !differs(group, open)) {
                stalled.putIfAbsent(member.rank, group);
            }
        }
    }

    /**
     * Only of operations in which no rank can be done before all took part; of a broadcast the root
     * may be done, of a reduce the others.
     */
    private static boolean deviceProof(Call open) {
        return !open.operation().startsWith("broadcast")
                && !open.operation().equals("reduce")
                && !open.operation().equals("gather")
                && !open.operation().equals("scatter");
    }

    /** A call that differs from the others', or follows one, explains why it does not complete. */
    private boolean differs(GroupView group, Call call) {
        Mismatch mismatch = mismatches.get(group);
        return mismatch != null && mismatch.sequence() <= call.sequence();
    }

    private void pointToPoint(GroupView group) {
        for (GroupView.Member member : group.seen.values()) {
            Map<Integer, List<Call>> open = member.openByWay();
            int own = open.isEmpty() ? -1 : group.local(member.rank);
            if (own >= 0) {
                open.forEach((way, calls) -> partner(group, member, own, way, calls));
            }
        }
    }

    private void partner(
            GroupView group, GroupView.Member member, int own, int way, List<Call> open) {
        boolean sends = way >= 0;
        int peer = group.global(sends ? way : -1 - way);
        GroupView.Member other = group.seen.get(peer);
        if (other == null) {
            return;
        }
        int matching = other.openByWay().getOrDefault(sends ? -1 - own : own, List.of()).size();
        if (open.size() > matching) {
            edge(member.rank, peer, group, open.get(matching), true);
        }
    }

    /**
     * A member whose dump tells nothing of a group in which others wait: when it has nothing open
     * anywhere it has not come so far.
     */
    private void idleMembers() {
        for (GroupView group : groups.values()) {
            for (GroupView.Member waiting : group.seen.values()) {
                for (GroupView.Member peer : group.seen.values()) {
                    if (waiting.oldestOpen != null && !peer.told && idle.contains(peer.rank)) {
                        edge(waiting.rank, peer.rank, group, waiting.oldestOpen, false);
                    }
                }
            }
        }
    }

    private void edge(int from, int to, GroupView group, Call call, boolean pointToPoint) {
        waits.computeIfAbsent(from, r -> new TreeMap<>())
                .putIfAbsent(
                        to, new Edge(to, group, call.sequence(), call.operation(), pointToPoint));
    }

    /** True when some rank has something open. */
    boolean hangs() {
        return idle.size() < dumps.size();
    }

    /** What the rules judge. */
    List<Fact> facts() {
        List<CollectiveState> states = states();
        Set<Integer> odd = new HashSet<>();
        states.forEach(s -> odd.addAll(s.odd()));
        Map<String, List<WaitFor>> byRole = new TreeMap<>();
        List<Fact> facts = new ArrayList<>();
        Map<Integer, Set<Integer>> rings = rings();
        for (RankDump dump : dumps.values()) {
            WaitFor wait = wait(dump, rings.get(dump.rank()));
            if (wait != null) {
                facts.add(wait);
                facts.add(state(dump, wait.role()));
                byRole.computeIfAbsent(wait.role(), r -> new ArrayList<>()).add(wait);
            }
        }
        byRole.forEach((role, waits) -> stall(role, waits, odd, facts));
        silent(byRole, facts);
        facts.addAll(states);
        return facts;
    }

    private void stall(String role, List<WaitFor> waits, Set<Integer> odd, List<Fact> facts) {
        if (role.equals("victim") || role.equals("unknown")) {
            return;
        }
        // A call that differs from the others' explains why it does not complete.
        List<Integer> ranks =
                waits.stream()
                        .map(WaitFor::rank)
                        .filter(r -> !role.equals("device") || !odd.contains(r))
                        .toList();
        if (!ranks.isEmpty()) {
            WaitFor first =
                    waits.stream().filter(w -> w.rank() == ranks.get(0)).findFirst().orElseThrow();
            facts.add(stall(role, ranks, first, waiting(ranks)));
        }
    }

    private Stall stall(String kind, List<Integer> ranks, WaitFor first, int waiting) {
        RankDump dump = dumps.get(first.rank());
        String operation =
                first.why() == null
                        ? null
                        : first.why().replaceAll("^.*?(?:issued|in) ([a-z_0-9]+) .*$", "$1");
        return new Stall(
                kind,
                ranks,
                first.group(),
                first.sequence(),
                operation,
                dump == null ? null : lastLine(dump),
                waiting,
                "dump");
    }

    private int waiting(List<Integer> ranks) {
        return (int)
                waits.entrySet().stream()
                        .filter(
                                e ->
                                        !ranks.contains(e.getKey())
                                                && ranks.stream()
                                                        .anyMatch(e.getValue()::containsKey))
                        .count();
    }

    /**
     * When nobody that left a dump holds the others up, it is those that left none, or the path
     * between all.
     */
    private void silent(Map<String, List<WaitFor>> byRole, List<Fact> facts) {
        if (byRole.keySet().stream().anyMatch(r -> !r.equals("victim") && !r.equals("unknown"))) {
            return;
        }
        for (GroupView group : groups.values()) {
            long frontier = group.frontier();
            List<Integer> silent = group.silent();
            if (frontier < 0) {
                continue;
            }
            GroupView.Member waiting =
                    group.seen.values().stream()
                            .filter(m -> m.oldestOpen != null)
                            .findFirst()
                            .orElseThrow();
            String operation = waiting.oldestOpen.operation();
            List<Integer> ranks = silent.isEmpty() ? List.copyOf(group.seen.keySet()) : silent;
            facts.add(
                    new Stall(
                            silent.isEmpty() ? "together" : "silent",
                            ranks,
                            name(group),
                            frontier,
                            operation,
                            waiting.oldestOpen.where(),
                            silent.isEmpty() ? 0 : group.seen.size(),
                            "dump"));
            return;
        }
    }

    private WaitFor wait(RankDump dump, Set<Integer> ring) {
        int rank = dump.rank();
        Map<Integer, Edge> edges = waits.getOrDefault(rank, Map.of());
        if (ring != null) {
            boolean sends =
                    ring.stream()
                            .anyMatch(
                                    r ->
                                            waits.get(r).values().stream()
                                                    .anyMatch(
                                                            e ->
                                                                    e.pointToPoint
                                                                            && ring.contains(
                                                                                    e.on)));
            Edge inRing =
                    edges.values().stream()
                            .filter(e -> ring.contains(e.on))
                            .findFirst()
                            .orElseThrow();
            return wait(rank, sends ? "p2p-ring" : "ring", inRing);
        }
        if (!edges.isEmpty()) {
            return wait(rank, "victim", edges.values().iterator().next());
        }
        if (stalled.containsKey(rank)) {
            GroupView group = stalled.get(rank);
            Call open = group.seen.get(rank).oldestOpen;
            String why =
                    "has issued "
                            + open.operation()
                            + " "
                            + open.sequence()
                            + " of "
                            + name(group)
                            + ", which its peers completed and its own device did not";
            return new WaitFor(rank, "device", null, name(group), open.sequence(), why);
        }
        Edge into = into(rank);
        if (into != null) {
            String why =
                    "has not issued "
                            + into.operation
                            + " "
                            + into.sequence
                            + " of "
                            + name(into.group);
            return new WaitFor(
                    rank,
                    dump.idle() ? "absent" : "device",
                    null,
                    name(into.group),
                    into.sequence,
                    why);
        }
        return dump.idle()
                ? null
                : new WaitFor(rank, "unknown", null, null, null, "waits in what all have issued");
    }

    private Edge into(int rank) {
        return waits.values().stream()
                .map(edges -> edges.get(rank))
                .filter(e -> e != null)
                .min(Comparator.comparingLong(Edge::sequence))
                .orElse(null);
    }

    private static WaitFor wait(int rank, String role, Edge edge) {
        String why =
                "waits for rank "
                        + edge.on
                        + " in "
                        + edge.operation
                        + " "
                        + edge.sequence
                        + " of "
                        + name(edge.group);
        return new WaitFor(rank, role, edge.on, name(edge.group), edge.sequence, why);
    }

    private static RankState state(RankDump dump, String role) {
        String state =
                switch (role) {
                    case "absent" -> "python";
                    case "device" -> "device";
                    case "unknown" -> "unknown";
                    default -> "waiting";
                };
        return new RankState(
                dump.rank(),
                null,
                null,
                state,
                null,
                null,
                null,
                lastLine(dump),
                null,
                null,
                "dump");
    }

    private static String lastLine(RankDump dump) {
        String last = null;
        for (int i = dump.calls().size() - 1; i >= 0; i--) {
            Call call = dump.calls().get(i);
            if (!call.completed()) {
                return call.where();
            }
            last = last == null ? call.where() : last;
        }
        return last;
    }

    private static String name(GroupView group) {
        return group.kind == null || group.kind.equals("undefined") || group.kind.equals("null")
                ? group.name
                : group.kind;
    }

    /** The ring of each rank that is in one: strongly connected ranks, two or more. */
    private Map<Integer, Set<Integer>> rings() {
        Map<Integer, Set<Integer>> on = new HashMap<>();
        waits.forEach((rank, edges) -> on.put(rank, edges.keySet()));
        Map<Integer, Set<Integer>> rings = new HashMap<>();
        for (Set<Integer> ring : Rings.of(on)) {
            Set<Integer> odd = elsewhere(ring);
            for (int rank : odd.isEmpty() ? ring : odd) {
                rings.put(rank, ring);
            }
        }
        return rings;
    }

    /**
     * Those of a ring for whom most of a group waits in one call: they went into another group
     * first, and who waits for them did not. Empty when no group has such a majority.
     */
    private Set<Integer> elsewhere(Set<Integer> ring) {
        Map<GroupView, Set<Integer>> waiting = new IdentityHashMap<>();
        Map<GroupView, Set<Integer>> missing = new IdentityHashMap<>();
        waits.forEach(
                (rank, edges) ->
                        edges.forEach(
                                (on, edge) -> {
                                    if (!edge.pointToPoint) {
                                        waiting.computeIfAbsent(edge.group, g -> new TreeSet<>())
                                                .add(rank);
                                        missing.computeIfAbsent(edge.group, g -> new TreeSet<>())
                                                .add(on);
                                    }
                                }));
        Set<Integer> within = new TreeSet<>();
        Set<Integer> without = new TreeSet<>();
        waiting.forEach(
                (group, ranks) -> {
                    Set<Integer> late = new TreeSet<>(missing.get(group));
                    int all = late.size();
                    late.retainAll(ring);
                    long inside = ranks.stream().filter(ring::contains).count();
                    if (inside > late.size()) {
                        within.addAll(late);
                    } else if (ranks.size() > Math.max(1, all)) {
                        without.addAll(late);
                    }
                });
        Set<Integer> odd = within.isEmpty() ? without : within;
        return odd;
    }

    private List<CollectiveState> states() {
        List<CollectiveState> states = new ArrayList<>();
        for (GroupView group : groups.values()) {
            Mismatch mismatch = mismatches.get(group);
            long frontier = group.frontier();
            if (mismatch == null && frontier < 0) {
                continue;
            }
            long sequence = mismatch == null ? frontier : mismatch.sequence();
            states.add(state(group, sequence, mismatch));
        }
        states.sort(
                Comparator.comparing((CollectiveState s) -> s.mismatch() == null)
                        .thenComparing(CollectiveState::group));
        return states;
    }

    private static CollectiveState state(GroupView group, long sequence, Mismatch mismatch) {
        List<Integer> joined = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        List<Integer> completed = new ArrayList<>();
        String where = null;
        String operation = null;
        for (GroupView.Member m : group.seen.values()) {
            if (m.issued(sequence)) {
                joined.add(m.rank);
            } else if (m.told) {
                missing.add(m.rank);
            }
            Call call = m.at(sequence);
            if (call != null) {
                operation = operation == null ? call.operation() : operation;
                where = where == null ? call.where() : where;
            }
            if (call != null && call.completed() || call == null && m.completed >= sequence) {
                completed.add(m.rank);
            }
        }
        String oddWhere = mismatch == null ? null : mismatch.found().where();
        return new CollectiveState(
                name(group),
                group.kind,
                sequence,
                mismatch == null ? operation : mismatch.expected().operation(),
                group.members,
                joined,
                missing,
                completed,
                group.silent(),
                mismatch == null ? null : mismatch.kind(),
                mismatch == null ? List.of() : mismatch.odd(),
                mismatch == null ? null : Stream.words(mismatch.expected()),
                mismatch == null ? null : Stream.words(mismatch.found()),
                oddWhere == null ? where : oddWhere,
                "dump");
    }
}
