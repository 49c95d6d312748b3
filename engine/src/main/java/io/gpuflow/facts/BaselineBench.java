package io.gpuflow.facts;

/**
 * What a collective reached when this machine's baseline was saved.
 *
 * @param largeBusbwGbps as in {@link Bench}
 * @param saved day of the baseline, 2026-11-20
 */
public record BaselineBench(
        String op,
        int ranks,
        String tool,
        double largeBusbwGbps,
        Long largeBytes,
        String transport,
        String saved)
        implements Fact {}
