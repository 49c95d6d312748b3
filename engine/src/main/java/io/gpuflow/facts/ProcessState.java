package io.gpuflow.facts;

/**
 * A process of the job as its kernel showed it while the job hung.
 *
 * @param rank its rank, or null when not known
 * @param state letter of /proc/PID/stat: T or t stopped, R running, S sleeping, D waits in the
 *     kernel, Z ended and not collected
 * @param waitsIn kernel function it waits in, or null
 */
public record ProcessState(int pid, Integer rank, String state, String waitsIn, String command)
        implements Fact {}
