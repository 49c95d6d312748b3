package io.gpuflow.flow;

import java.time.Duration;

/**
 * What the experiments of a step may cost together, on top of the step's own run.
 *
 * @param runs runs of the step with and without changes
 * @param time or null for no limit but that of the runs
 */
public record Budget(int runs, Duration time) {
    /** Change, baseline again, and one repetition of both. */
    public static final Budget DEFAULT = new Budget(4, null);
}
