package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A made job of dp × tp × pp ranks that runs until nothing moves any more, and its Flight Recorder
 * dumps. Rank = t + tp × (p + pp × d), so that more replicas leave the others' numbers alone. Every
 * call blocks, as a program that looks at its results does.
 */
final class MadeJob {
    /** A call in a rank's program; peer is −1 for a collective. */
    record Op(int group, String name, long elements, String type, int peer, int line) {
        Op(int group, String name, long elements, int line) {
            this(group, name, elements, "Float", -1, line);
        }
    }

    record Group(String name, String kind, List<Integer> ranks) {}

    private record Issued(Op op, long sequence, boolean[] done) {}

    final int world;
    final List<Group> groups = new ArrayList<>();
    final List<List<Op>> programs = new ArrayList<>();

    /** Ranks whose device does not complete the call at this place of their program. */
    final Map<Integer, Integer> stalls = new HashMap<>();

    /** Ranks that stop before the call at this place. */
    final Map<Integer, Integer> absent = new HashMap<>();

    private final List<List<Issued>> issued = new ArrayList<>();
    private final List<Map<Integer, Integer>> groupsOf = new ArrayList<>();

    MadeJob(int dp, int tp, int pp, int steps) {
        world = dp * tp * pp;
        for (int r = 0; r < world; r++) {
            groupsOf.add(new HashMap<>());
        }
        List<Integer> all = new ArrayList<>();
        for (int r = 0; r < world; r++) {
            all.add(r);
        }
        group("0", "default_pg", all, 0);
        for (int d = 0; d < dp; d++) {
            for (int p = 0; p < pp; p++) {
                List<Integer> ranks = new ArrayList<>();
                for (int t = 0; t < tp; t++) {
                    ranks.add(t + tp * (p + pp * d));
                }
                group("t" + d + "." + p, "mesh_tp", ranks, 1);
                group("u" + d + "." + p, "mesh_ep", ranks, 4);
            }
            for (int t = 0; t < tp; t++) {
                List<Integer> ranks = new ArrayList<>();
                for (int p = 0; p < pp; p++) {
                    ranks.add(t + tp * (p + pp * d));
                }
                group("p" + d + "." + t, "mesh_pp", ranks, 2);
            }
        }
        for (int p = 0; p < pp; p++) {
            for (int t = 0; t < tp; t++) {
                List<Integer> ranks = new ArrayList<>();
                for (int d = 0; d < dp; d++) {
                    ranks.add(t + tp * (p + pp * d));
                }
                group("d" + p + "." + t, "mesh_dp", ranks, 3);
            }
        }
        for (int r = 0; r < world; r++) {
            programs.add(program(r, tp, pp, steps));
        }
    }

    private void group(String name, String kind, List<Integer> ranks, int slot) {
        ranks.forEach(r -> groupsOf.get(r).put(slot, groups.size()));
        groups.add(new Group(name, kind, ranks));
    }

    private List<Op> program(int rank, int tp, int pp, int steps) {
        Map<Integer, Integer> mine = groupsOf.get(rank);
        int stage = rank / tp % pp;
        List<Op> ops = new ArrayList<>();
        for (int s = 0; s < steps; s++) {
            if (stage > 0) {
                ops.add(new Op(mine.get(2), "recv", 4096, "Float", stage - 1, 20));
            }
            ops.add(new Op(mine.get(1), "all_reduce", 4096, 21));
            ops.add(new Op(mine.get(4), "all_reduce", 512, 22));
            if (stage < pp - 1) {
                ops.add(new Op(mine.get(2), "send", 4096, "Float", stage + 1, 23));
            }
            ops.add(new Op(mine.get(3), "_reduce_scatter_base", 8192, 24));
            ops.add(new Op(mine.get(3), "_all_gather_base", 1024, 25));
            ops.add(new Op(0, "all_reduce", 1, 30));
            ops.add(new Op(0, "broadcast", 77, 31));
            ops.add(new Op(0, "all_reduce", 333, 32));
        }
        return ops;
    }

    /** The place in a rank's program of the n-th call of the default group. */
    int defaultCall(int rank, int n) {
        List<Op> ops = programs.get(rank);
        int seen = 0;
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i).group == 0 && seen++ == n) {
                return i;
            }
        }
        throw new IllegalArgumentException("no call " + n);
    }

    /** The place of the n-th call at a line. */
    int callAt(int rank, int line, int n) {
        int seen = 0;
        for (int i = 0; i < programs.get(rank).size(); i++) {
            if (programs.get(rank).get(i).line == line && seen++ == n) {
                return i;
            }
        }
        throw new IllegalArgumentException("no call at " + line);
    }

    /** Runs until nothing moves. */
    void run() {
        List<Map<Integer, Long>> numbers = new ArrayList<>();
        for (int r = 0; r < world; r++) {
            issued.add(new ArrayList<>());
            numbers.add(new HashMap<>());
        }
        Map<String, Map<Integer, Issued>> open = new HashMap<>();
        Set<Integer> ready = new TreeSet<>();
        for (int r = 0; r < world; r++) {
            ready.add(r);
        }
        while (!ready.isEmpty()) {
            Set<Integer> next = new TreeSet<>();
            for (int rank : ready) {
                int at = issued.get(rank).size();
                if (at >= programs.get(rank).size() || absent.getOrDefault(rank, -1) == at) {
                    continue;
                }
                Op op = programs.get(rank).get(at);
                Group group = groups.get(op.group);
                int slot = op.peer < 0 ? op.group : -1 - op.group;
                long sequence = numbers.get(rank).merge(slot, 1L, Long::sum);
                Issued call = new Issued(op, sequence, new boolean[1]);
                issued.get(rank).add(call);
                String key;
                int parts = 2;
                if (op.peer < 0) {
                    key = op.group + "#" + sequence;
                    parts = group.ranks.size();
                } else {
                    int own = group.ranks.indexOf(rank);
                    boolean sends = op.name.equals("send");
                    String way = sends ? own + ">" + op.peer : op.peer + ">" + own;
                    key = op.group + "p" + way + "#" + way(rank, op);
                }
                Map<Integer, Issued> together = open.computeIfAbsent(key, k -> new HashMap<>());
                together.put(rank, call);
                if (together.size() == parts && agree(together.values())) {
                    together.forEach(
                            (r, c) -> {
                                if (stalls.getOrDefault(r, -1) != issued.get(r).size() - 1) {
                                    c.done[0] = true;
                                    next.add(r);
                                }
                            });
                }
            }
            ready.clear();
            ready.addAll(next);
        }
    }

    /** How many calls of the same kind to the same peer this rank has issued. */
    private long way(int rank, Op op) {
        return issued.get(rank).stream()
                .filter(
                        c ->
                                c.op.group == op.group
                                        && c.op.peer == op.peer
                                        && c.op.name.equals(op.name))
                .count();
    }

    private static boolean agree(Iterable<Issued> calls) {
        Op first = null;
        for (Issued call : calls) {
            Op op = call.op;
            first = first == null ? op : first;
            boolean same = op.peer >= 0 || op.name.equals(first.name);
            if (!same || op.elements != first.elements || !op.type.equals(first.type)) {
                return false;
            }
        }
        return true;
    }

    /**
     * What one rank's recorder holds.
     *
     * @param kept entries that its ring buffer has room for
     */
    Map<String, Object> dump(int rank, int kept) {
        Map<String, Object> config = new LinkedHashMap<>();
        Map<String, Object> status = new LinkedHashMap<>();
        for (int g : new TreeSet<>(groupsOf.get(rank).values())) {
            Group group = groups.get(g);
            config.put(
                    group.name,
                    Map.of("name", group.name, "desc", group.kind, "ranks", "" + group.ranks));
            status.put("" + g, status(rank, g));
        }
        List<Object> entries = new ArrayList<>();
        List<Issued> calls = issued.get(rank);
        for (int i = Math.max(0, calls.size() - kept); i < calls.size(); i++) {
            entries.add(entry(rank, i, calls.get(i)));
        }
        Map<String, Object> dump = new LinkedHashMap<>();
        dump.put("version", "2.10");
        dump.put("pg_config", config);
        dump.put("pg_status", status);
        dump.put("entries", entries);
        return dump;
    }

    private Map<String, Object> status(int rank, int group) {
        long enqueued = -1;
        long completed = -1;
        for (Issued call : issued.get(rank)) {
            if (call.op.group == group && call.op.peer < 0) {
                enqueued = call.sequence;
                completed = call.done[0] ? call.sequence : completed;
            }
        }
        return Map.of(
                "last_enqueued_collective", enqueued,
                "last_started_collective", -1,
                "last_completed_collective", completed);
    }

    private Map<String, Object> entry(int rank, int id, Issued call) {
        Op op = call.op;
        Group group = groups.get(op.group);
        int own = group.ranks.indexOf(rank);
        String name = "nccl:" + op.name;
        if (op.peer >= 0) {
            name += " " + own + (op.name.equals("send") ? "->" : "<-") + op.peer;
        }
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("record_id", id);
        entry.put("pg_id", op.group);
        entry.put("process_group", List.of(group.name, group.kind));
        entry.put("collective_seq_id", op.peer < 0 ? call.sequence : 0);
        entry.put("p2p_seq_id", op.peer < 0 ? 0 : call.sequence);
        entry.put("profiling_name", name);
        entry.put("time_created_ns", 1_700_000_000_000_000_000L + id);
        entry.put("input_sizes", List.of(List.of(op.elements)));
        entry.put("input_dtypes", List.of(op.type));
        entry.put("output_sizes", List.of(List.of(op.elements)));
        entry.put("output_dtypes", List.of(op.type));
        entry.put("state", call.done[0] ? "completed" : "scheduled");
        entry.put("is_p2p", op.peer >= 0);
        entry.put(
                "frames",
                List.of(
                        Map.of(
                                "name",
                                "step",
                                "filename",
                                "/home/user/train.py",
                                "line",
                                op.line)));
        return entry;
    }
}
