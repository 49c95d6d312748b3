package io.gpuflow.facts;

/**
 * A way to train a model that {@code advise} weighs, with what it is predicted to need. Rules of
 * the area advise forbid, avoid and prefer plans: their findings name the plan's number as {@code
 * plan} and what they want as {@code effect}: forbid, avoid (the step counts as so many times as
 * long, {@code factor} above 1), prefer ({@code factor} below 1) or note.
 *
 * @param plan number, from 0
 * @param strategy ddp, tp+fsdp2 …
 * @param data what data-parallel ranks divide: single, ddp, zero1, zero2, zero3, fsdp2,
 *     fsdp2-no-reshard
 * @param dataParallel ranks that divide data
 * @param shard ranks that divide states
 * @param hybrid the states are divided inside groups and copied across them
 * @param tensorLink what joins a tensor-parallel group: fast (NVLink, Infinity Fabric), pcie,
 *     network; null when not known or there is none
 * @param dataLink likewise for the data-parallel ranks that divide states, or all of them
 * @param expertLink likewise for the expert-parallel ranks
 * @param microSteps in an optimizer step
 * @param fits null when the memory of the GPUs is not known
 * @param needGib memory that the GPU must have, GiB (2^30 bytes)
 * @param hasGib memory that it has; null when not known
 * @param peakPhase forward, backward, optimizer step
 * @param binding the largest part of the peak, in words
 * @param remedy what would make it fit; null when it fits or nothing tried does
 * @param stepSeconds predicted; null when not known
 * @param communicationSeconds all of it; null when not known
 * @param exposedSeconds the part that no compute hides; null when not known
 * @param bubbleSeconds pipeline stages waiting for each other
 * @param hostBound the host starts kernels more slowly than the GPU runs them
 */
public record TrainingPlan(
        int plan,
        String strategy,
        String data,
        Integer gpus,
        Integer dataParallel,
        Integer shard,
        Boolean hybrid,
        Integer tensorParallel,
        Boolean sequenceParallel,
        Integer pipelineParallel,
        Integer contextParallel,
        Integer expertParallel,
        String tensorLink,
        String dataLink,
        String expertLink,
        Integer microSteps,
        Integer seq,
        Boolean fits,
        Double needGib,
        Double hasGib,
        String peakPhase,
        String binding,
        String remedy,
        Double stepSeconds,
        Double communicationSeconds,
        Double exposedSeconds,
        Double bubbleSeconds,
        Boolean hostBound)
        implements Fact {}
