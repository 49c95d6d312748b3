package io.gpuflow.facts;

/**
 * The operating system instance the commands ran on.
 *
 * @param cpus logical CPUs this process may use
 * @param memoryBytes physical memory, bytes
 */
public record Host(
        String name,
        String kernel,
        String kernelCommandLine,
        Integer cpus,
        Integer threadsPerCore,
        Integer numaNodes,
        Long memoryBytes)
        implements Fact {}
