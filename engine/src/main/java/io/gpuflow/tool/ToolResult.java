package io.gpuflow.tool;

import java.nio.file.Path;
import java.util.List;

/**
 * What a command did.
 *
 * @param argv what was run
 * @param outcome how it ended
 * @param exit exit status; 128 + signal when a signal ended it; −1 unless it ended by itself
 * @param stdout standard output, at most the record limit; the whole is in the file
 * @param stderr standard error, likewise
 * @param stdoutFile the whole output on disk, or null when it was not kept
 * @param stderrFile likewise
 * @param seconds wall time
 * @param why for everything but EXITED, the reason in words a user can act on
 */
public record ToolResult(
        List<String> argv,
        Outcome outcome,
        int exit,
        String stdout,
        String stderr,
        Path stdoutFile,
        Path stderrFile,
        double seconds,
        String why) {

    /** How a command ended. Only EXITED says anything about the machine. */
    public enum Outcome {
        EXITED,
        /** The program is not on PATH or is not executable. */
        MISSING,
        TIMED_OUT,
        /** We ended it because the run was interrupted. */
        INTERRUPTED,
        /** It could not be started, or its output could not be kept. */
        BROKEN,
        /** The recording holds no answer to this question. */
        NOT_RECORDED
    }

    public boolean ok() {
        return outcome == Outcome.EXITED && exit == 0;
    }
}
