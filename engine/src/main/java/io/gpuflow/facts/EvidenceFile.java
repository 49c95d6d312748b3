package io.gpuflow.facts;

/**
 * A file that a step left for the diagnosis.
 *
 * @param step id of the step
 * @param kind log, nccl-log, flight-recorder, ras, stack, proc or nvidia-smi
 * @param rank the rank it is about, null when about the whole job
 * @param path absolute
 */
public record EvidenceFile(String step, String kind, Integer rank, String path) implements Fact {}
