package io.gpuflow.facts;

/**
 * A GPU of this machine's baseline, and what has become of it.
 *
 * @param index physical index when the baseline was saved
 * @param state same, moved (the same GPU has another index now), other (another GPU has its index),
 *     gone (nothing has its index), or null when the GPUs can't be told apart
 * @param now index of the same GPU now; null when it is not here, or that can't be told
 * @param saved day of the baseline
 */
public record BaselineGpu(int index, String model, String state, Integer now, String saved)
        implements Fact {}
