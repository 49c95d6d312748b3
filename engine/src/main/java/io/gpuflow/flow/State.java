package io.gpuflow.flow;

/** How a step ended. Each comes with its reason. */
public enum State {
    PASSED,
    /** A rule warned. */
    WARNED,
    /** A rule or an exit status says so. */
    FAILED,
    /** It could not run, timed out, or its output could not be read. */
    BROKEN,
    /** Its own condition said no. */
    SKIPPED,
    /** A step it needs did not pass. */
    BLOCKED,
    /** The result of an earlier run stands. */
    REUSED,
    /** It could not be told: a condition or the facts it rests on are unknown. */
    UNKNOWN
}
