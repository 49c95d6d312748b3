package io.gpuflow.facts;

import java.util.List;

/**
 * A parallelism that choose-parallelism proposes.
 *
 * @param strategy ddp, fsdp2, zero1 … tp+dp …
 * @param groups for tensor parallelism, the GPUs of each tensor-parallel group
 * @param fits the model's states fit; null when no model was described or memory is not known
 * @param chosen true for the one that is recommended; the others are candidates
 */
public record ParallelPlan(
        String strategy,
        int gpus,
        Integer tensorParallel,
        Integer dataParallel,
        Integer pipelineParallel,
        List<List<Integer>> groups,
        Boolean fits,
        boolean chosen,
        List<String> because)
        implements Fact {}
