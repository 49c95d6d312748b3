package io.gpuflow.advise;

import java.util.List;

/**
 * Which GPU is which rank. Ranks are counted with tensor parallelism innermost, then context, data
 * and pipeline parallelism, as torch's device mesh and Megatron do, so that a tensor-parallel group
 * is a run of neighbouring ranks.
 *
 * @param nodes machines, all alike
 * @param gpus physical index by local rank
 * @param inOrder the GPUs are all those that a job sees, in their own order: nothing need be set
 * @param near CPUs and memory near the GPU, by local rank; empty when not known
 * @param threads CPU threads for each rank; null when not known
 * @param groups which GPUs of one machine form which groups, a dimension each
 */
public record Placement(
        int nodes,
        List<Integer> gpus,
        boolean inOrder,
        List<Near> near,
        Integer threads,
        List<Group> groups) {

    /**
     * CPUs near a GPU.
     *
     * @param numaNodes list form, 0 or 0-1; null when not known
     * @param cpus list form, 0-31,64-95; null when not known
     */
    public record Near(String numaNodes, String cpus) {}

    /**
     * The groups of one dimension inside a machine.
     *
     * @param dimension tp, cp, pp, dp …
     * @param gpus physical indexes of each group
     */
    public record Group(String dimension, List<List<Integer>> gpus) {}

    /** Ranks of one machine. */
    public int local() {
        return gpus.size();
    }

    public int world() {
        return nodes * gpus.size();
    }
}
