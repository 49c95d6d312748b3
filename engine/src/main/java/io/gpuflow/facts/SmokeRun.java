package io.gpuflow.facts;

/**
 * Outcome of the DDP smoke test as a whole.
 *
 * @param stage furthest stage that all ranks reached: none, start, init, first-collective, sum,
 *     train, done
 * @param leftProcesses workers still alive after the launcher ended
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
        Integer leftProcesses)
        implements Fact {}
