package io.gpuflow.facts;

/**
 * What one rank of the smoke test did.
 *
 * @param stage as in SmokeRun
 */
public record SmokeRank(
        int rank,
        Integer localRank,
        Integer device,
        String busId,
        String stage,
        Boolean sumRight,
        Integer sum,
        Double seconds,
        String error)
        implements Fact {}
