package io.gpuflow.tool;

import java.nio.file.Path;
import java.util.List;

/**
 * What a command did.
 *
 * @param argv what was run
 * @param outcome how it ended
 * @param exit exit status; 128 + signal when a signal ended it; −1 unless it ended by itself
 * @param stdout standard output; when it was longer than the limit, its beginning and its end with
 *     a line between that says what is left out
 * @param stderr standard error, likewise
 * @param stdoutFile the output on disk, cut likewise at a much higher limit; null when not kept
 * @param stderrFile likewise
 * @param seconds wall time
 * @param why for everything but EXITED, the reason in words a user can act on; else null
 * @param notes what else should be known, in words: output that was cut, a full disk, a process
 *     that could not be ended
 * @param strays the processes that the command left running when it exited, as "PID command line";
 *     they were ended
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
        String why,
        List<String> notes,
        List<String> strays) {

    public ToolResult {
        notes = List.copyOf(notes);
        strays = List.copyOf(strays);
    }

    public ToolResult(
            List<String> argv,
            Outcome outcome,
            int exit,
            String stdout,
            String stderr,
            Path stdoutFile,
            Path stderrFile,
            double seconds,
            String why) {
        this(
                argv,
                outcome,
                exit,
                stdout,
                stderr,
                stdoutFile,
                stderrFile,
                seconds,
                why,
                List.of(),
                List.of());
    }

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

    ToolResult withNotes(List<String> others) {
        return new ToolResult(
                argv,
                outcome,
                exit,
                stdout,
                stderr,
                stdoutFile,
                stderrFile,
                seconds,
                why,
                others,
                strays);
    }

    static ToolResult without(ToolCall call, Outcome outcome, String why) {
        return new ToolResult(call.argv(), outcome, -1, "", "", null, null, 0, why);
    }
}
