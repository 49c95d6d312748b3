package io.gpuflow.facts;

import java.util.List;

/**
 * What CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES leaves.
 *
 * @param physical physical indexes by local rank: local rank r uses GPU physical.get(r); null when
 *     it can't be told
 */
public record Visibility(String variable, String value, List<Integer> physical) implements Fact {}
