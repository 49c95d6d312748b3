package io.gpuflow.facts;

import java.util.List;

/**
 * How HIP numbers the GPUs when no variable hides any; it need not be amd-smi's order.
 *
 * @param gpus HIP's device i is the GPU of index gpus.get(i)
 */
public record HipOrder(List<Integer> gpus) implements Fact {}
