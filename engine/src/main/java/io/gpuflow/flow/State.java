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
    UNKNOWN;

    /** The word shown to the user and written to files: {@code passed}. */
    public String word() {
        return EnumWords.word(this);
    }

    /** True when a step that needs this one may run. */
    public boolean lets() {
        return this == PASSED || this == WARNED || this == SKIPPED || this == REUSED;
    }

    /**
     * The worse of two. A failure outranks what could not be told, as in the exit code: it is
     * known.
     */
    public State worse(State other) {
        return badness() >= other.badness() ? this : other;
    }

    private int badness() {
        return switch (this) {
            case SKIPPED -> 0;
            case REUSED, PASSED -> 1;
            case WARNED -> 2;
            case BLOCKED -> 3;
            case UNKNOWN -> 4;
            case BROKEN -> 5;
            case FAILED -> 6;
        };
    }
}
