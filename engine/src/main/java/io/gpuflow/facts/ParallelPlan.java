package io.gpuflow.facts;

import java.util.List;

/**
 * A parallelism that choose-parallelism proposes.
 *
 * @param strategy ddp, fsdp2, zero1 … tp+dp …
 */
public record ParallelPlan(
        String strategy,
        int gpus,
        Integer tensorParallel,
        Integer dataParallel,
        Integer pipelineParallel,
        List<List<Integer>> groups,
        List<String> because)
        implements Fact {}
