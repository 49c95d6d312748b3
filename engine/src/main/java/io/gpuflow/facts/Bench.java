package io.gpuflow.facts;

/**
 * A collective benchmark, summed up.
 *
 * @param largeBusbwGbps mean over the largest message size that ran, both placements
 * @param transport slowest transport between the ranks: P2P, SHM, NET/IB, NET/Socket …; null when
 *     the log didn't tell
 */
public record Bench(
        String tool,
        String op,
        int ranks,
        Double peakBusbwGbps,
        Double averageBusbwGbps,
        Double largeBusbwGbps,
        Long largeBytes,
        Long wrong,
        String transport,
        Boolean completed)
        implements Fact {}
