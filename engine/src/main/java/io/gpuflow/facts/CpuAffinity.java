package io.gpuflow.facts;

/**
 * CPUs and NUMA nodes near a GPU.
 *
 * @param cpus list form: 0-31,64-95
 */
public record CpuAffinity(int gpu, String cpus, String numaNodes) implements Fact {}
