package io.gpuflow.facts;

/**
 * What CUDA's p2pBandwidthLatencyTest measured between GPUs.
 *
 * @param gpus GPUs in the test
 * @param canAccess every pair says that it can access its peer
 * @param gbPerSecondOff median one-way copy between two GPUs with peer access off, or null
 * @param gbPerSecondOn the same with peer access on, or null
 * @param finished the test printed its last table
 */
public record P2pCopyTest(
        int gpus, boolean canAccess, Double gbPerSecondOff, Double gbPerSecondOn, boolean finished)
        implements Fact {}
