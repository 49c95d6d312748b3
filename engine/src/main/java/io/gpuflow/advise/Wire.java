package io.gpuflow.advise;

import java.util.List;
import java.util.Map;

/**
 * What carries collectives among some GPUs.
 *
 * @param gbps bus bandwidth of large messages by collective, GB/s (10⁹ bytes), as nccl-tests
 *     defines it
 * @param latency of one call, seconds
 * @param measured time by message size of a collective on this machine, ascending; empty when
 *     nothing was measured
 * @param source "measured here, nccl-tests" or how the links allow it
 */
public record Wire(
        Map<String, Double> gbps,
        double latency,
        Map<String, List<Point>> measured,
        String source) {

    /**
     * A measured call.
     *
     * @param ranks among how many
     * @param bytes the size that nccl-tests prints
     */
    public record Point(int ranks, double bytes, double seconds) {}

    /**
     * Seconds of one call.
     *
     * @param bytes the whole message: what a rank reduces, or all ranks gather together
     */
    public double seconds(String op, int ranks, double bytes) {
        if (ranks < 2 || bytes <= 0) {
            return 0;
        }
        List<Point> points = measured.getOrDefault(op, List.of());
        if (!points.isEmpty()) {
            return fromMeasured(op, ranks, bytes, points);
        }
        return latency + factor(op, ranks) * bytes / (bandwidth(op) * 1e9);
    }

    /** The bandwidth of large messages that {@link #seconds} counts with, GB/s. */
    public double bandwidth(String op) {
        List<Point> points = measured.getOrDefault(op, List.of());
        if (!points.isEmpty()) {
            Point last = points.get(points.size() - 1);
            return factor(op, last.ranks()) * last.bytes() / last.seconds() / 1e9;
        }
        Double own = gbps.get(op);
        return own != null ? own : gbps.getOrDefault("all_reduce", 0.0);
    }

    private static double fromMeasured(String op, int ranks, double bytes, List<Point> points) {
        // Another number of ranks moves another share over each link: the same bus bandwidth.
        double same = factor(op, ranks) / factor(op, points.get(0).ranks());
        Point before = points.get(0);
        if (bytes <= before.bytes()) {
            return before.seconds();
        }
        for (Point next : points) {
            if (next.bytes() >= bytes) {
                double along =
                        Math.log(bytes / before.bytes()) / Math.log(next.bytes() / before.bytes());
                double log =
                        Math.log(before.seconds())
                                + along * Math.log(next.seconds() / before.seconds());
                return same
                        * Math.exp(before.bytes() == next.bytes() ? Math.log(next.seconds()) : log);
            }
            before = next;
        }
        return same * before.seconds() * bytes / before.bytes();
    }

    /** Bus bandwidth over algorithm bandwidth (nccl-tests, doc/PERFORMANCE.md). */
    static double factor(String op, int ranks) {
        return switch (op) {
            case "all_reduce" -> 2.0 * (ranks - 1) / ranks;
            case "all_gather", "reduce_scatter", "alltoall" -> (ranks - 1.0) / ranks;
            default -> 1;
        };
    }
}
