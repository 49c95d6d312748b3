package io.gpuflow.facts;

/**
 * One line of a collective benchmark; bandwidths in GB/s (10⁹ bytes), as nccl-tests defines them.
 *
 * @param tool nccl-tests, rccl-tests or torch
 * @param wrong wrong elements; null when not checked
 */
public record BenchRow(
        String tool,
        String op,
        long bytes,
        Double timeUs,
        Double algbwGbps,
        Double busbwGbps,
        Long wrong,
        boolean inPlace)
        implements Fact {}
