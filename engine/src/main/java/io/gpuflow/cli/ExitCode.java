package io.gpuflow.cli;

/** Exit codes, the only place that knows them. FOUND outranks UNTOLD. */
public final class ExitCode {
    /** Usable; there may be warnings. */
    public static final int OK = 0;

    /** A finding at or above {@code --fail-on}. */
    public static final int FOUND = 1;

    /** Wrong usage, or a file that is not valid. */
    public static final int USAGE = 2;

    /** It could not be told: something broke or is unknown. */
    public static final int UNTOLD = 3;

    /** gpuflow itself failed. */
    public static final int INTERNAL = 4;

    public static final int INTERRUPTED = 130;
    public static final int TERMINATED = 143;

    private ExitCode() {}
}
