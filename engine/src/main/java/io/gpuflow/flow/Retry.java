package io.gpuflow.flow;

import java.time.Duration;
import java.util.Set;

/**
 * When a step is tried again with the same inputs.
 *
 * @param times further attempts at most
 * @param afterTimeout true when running out of time is a reason
 * @param exits exit statuses that are a reason
 * @param pause the wait before each further attempt
 */
public record Retry(int times, boolean afterTimeout, Set<Integer> exits, Duration pause) {
    public static final Retry NEVER = new Retry(0, false, Set.of(), Duration.ZERO);
}
