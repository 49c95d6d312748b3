package io.gpuflow.parse;

import io.gpuflow.parse.RasReport.Communicator;
import io.gpuflow.parse.RasReport.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the JSON form of a RAS report, NCCL 2.28.7 and later. */
final class RasJson {
    private static final int MOST = 4096;

    /** NCCL 2.28.9 leaves out a comma between two objects or members. */
    private static final Pattern NO_COMMA = Pattern.compile("([}\\]\"0-9el])(\\s*\\n\\s*)([\"{])");

    private final List<Communicator> comms = new ArrayList<>();
    private final List<Rank> ranks = new ArrayList<>();
    private final List<String> lines;
    private long largest;

    RasJson(List<String> lines) {
        this.lines = lines;
    }

    RasReport report() {
        JsonTree tree = JsonTree.in(lines);
        if (!tree.whole()) {
            String mended = NO_COMMA.matcher(String.join("\n", lines)).replaceAll("$1,$2$3");
            JsonTree again = JsonTree.in(List.of(mended.split("\n", -1)));
            tree = again.whole() || tree.root() == null ? again : tree;
        }
        for (Object comm : JsonTree.list(JsonTree.get(tree.root(), "communicators"))) {
            Long size = JsonTree.integer(JsonTree.get(comm, "size"));
            largest = Math.max(largest, size == null ? 0 : size);
        }
        for (Object comm : JsonTree.list(JsonTree.get(tree.root(), "communicators"))) {
            communicator(comm, tree.line());
        }
        Long timeouts =
                JsonTree.integer(JsonTree.get(JsonTree.get(tree.root(), "ras"), "timeouts_count"));
        String error = tree.root() == null ? "the JSON can't be read" : null;
        return new RasReport(
                JsonTree.text(JsonTree.get(tree.root(), "nccl_version")),
                comms,
                ranks,
                timeouts == null ? null : timeouts.intValue(),
                error,
                tree.whole() ? List.of() : List.of("the JSON ends early"));
    }

    private void communicator(Object node, int line) {
        String hash = JsonTree.text(JsonTree.get(node, "hash"));
        hash = hash != null && hash.startsWith("0x") ? hash.substring(2) : hash;
        List<?> missing = JsonTree.list(JsonTree.get(node, "missing_ranks"));
        Long size = JsonTree.integer(JsonTree.get(node, "size"));
        RasCounts counts = new RasCounts(hash);
        boolean failed = false;
        for (Object rank : JsonTree.list(JsonTree.get(node, "ranks"))) {
            Rank r = rank(hash, rank, "", null, line);
            if (r == null) {
                continue;
            }
            if (JsonTree.get(rank, "collective_counts") instanceof Map<?, ?> launched) {
                for (Map.Entry<?, ?> e : launched.entrySet()) {
                    Long n = JsonTree.integer(e.getValue());
                    counts.operation(String.valueOf(e.getKey()));
                    counts.one(r, n == null ? 0 : n);
                }
            }
            Object status = JsonTree.get(rank, "status");
            Long async = JsonTree.integer(JsonTree.get(status, "async_error"));
            if (size != null && size == largest && async != null && async != 0 && async != 7) {
                failed = true;
                add(rank(hash, rank, "error", "ncclResult " + async, line));
            }
        }
        // Ranks of a part of the job are not the job's.
        boolean whole = size != null && size == largest;
        List<Rank> outliers = whole ? counts.outliers() : List.of();
        outliers.forEach(this::add);
        for (Object rank : whole ? missing : List.of()) {
            Object dead = JsonTree.get(JsonTree.get(rank, "status"), "considered_dead");
            add(rank(hash, rank, Boolean.TRUE.equals(dead) ? "dead" : "missing", null, line));
        }
        List<String> errors = new ArrayList<>();
        if (!missing.isEmpty()) {
            errors.add("INCOMPLETE");
        }
        if (failed) {
            errors.add("ERROR");
        }
        if (!outliers.isEmpty()) {
            errors.add("MISMATCH");
        }
        long of = size == null ? 0 : size;
        comms.add(new Communicator(hash, 1, of, null, errors.isEmpty() ? List.of("OK") : errors));
    }

    private void add(Rank rank) {
        if (rank != null && ranks.size() < MOST) {
            ranks.add(rank);
        }
    }

    private static Rank rank(String comm, Object node, String state, String detail, int line) {
        Long rank = JsonTree.integer(JsonTree.get(node, "rank"));
        Long pid = JsonTree.integer(JsonTree.get(node, "pid"));
        if (rank == null || rank < 0 || rank > 10_000_000) {
            return null;
        }
        boolean known = pid != null && pid > 0 && pid < Integer.MAX_VALUE;
        return new Rank(
                comm,
                rank.intValue(),
                known ? Integer.valueOf(pid.intValue()) : null,
                JsonTree.text(JsonTree.get(node, "host")),
                state,
                null,
                null,
                detail,
                line);
    }
}
