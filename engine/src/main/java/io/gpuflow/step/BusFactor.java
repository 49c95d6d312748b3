package io.gpuflow.step;

import java.util.List;

/**
 * Bus bandwidth = algorithm bandwidth × factor, as nccl-tests defines it, so that it can be
 * compared with the rate of a link whatever the number of ranks.
 */
final class BusFactor {
    /** Every collective that nccl-tests and the torch benchmark know, by nccl-tests' name. */
    static final List<String> OPS =
            List.of(
                    "all_reduce",
                    "all_gather",
                    "reduce_scatter",
                    "alltoall",
                    "broadcast",
                    "reduce",
                    "sendrecv",
                    "gather",
                    "scatter");

    private BusFactor() {}

    /** The factor for n ranks. Source: nccl-tests, doc/PERFORMANCE.md and the test of each op. */
    static double of(String op, int n) {
        return switch (op) {
            case "all_reduce" -> 2.0 * (n - 1) / n;
            case "all_gather", "reduce_scatter", "alltoall", "gather", "scatter" -> (n - 1.0) / n;
            case "broadcast", "reduce", "sendrecv" -> 1.0;
            default -> throw new IllegalArgumentException("no collective named " + op);
        };
    }

    /** The factor as a formula. */
    static String formula(String op) {
        return switch (op) {
            case "all_reduce" -> "2(n−1)/n";
            case "broadcast", "reduce", "sendrecv" -> "1";
            default -> "(n−1)/n";
        };
    }
}
