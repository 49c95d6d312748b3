package io.gpuflow.facts;

/**
 * Outcome of the DDP smoke test as a whole.
 *
 * @param backend nccl (also RCCL) or gloo
 * @param visibleGpus GPUs that torch sees; 0 means that the test ran on the CPU
 * @param finished every rank reached the stage done and its launcher exited 0
 * @param hung it did not end within its limit and was ended by us
 * @param stage furthest stage that all ranks reached: none, start, init, first-collective, sum,
 *     train, done
 * @param leftProcesses workers still alive after the launcher ended
 * @param launcher torchrun, or gpuflow when torchrun could not start a rank
 * @param launcherFault why torchrun could not, null when it could
 */
public record SmokeRun(
        String backend,
        int worldSize,
        int visibleGpus,
        Boolean finished,
        Boolean hung,
        String stage,
        Integer launcherExit,
        Double seconds,
        Integer leftProcesses,
        String launcher,
        String launcherFault)
        implements Fact {}
