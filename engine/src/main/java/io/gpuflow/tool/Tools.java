package io.gpuflow.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The machine as gpuflow may ask it: live, or from a recording. */
public interface Tools {
    /** Runs a command to its end or its limit. Never throws for what the command does. */
    ToolResult run(ToolCall call, OutputLines lines);

    default ToolResult run(ToolCall call) {
        return run(call, (stderr, text) -> {});
    }

    /** The same machine, whose commands leave what they print in another folder. */
    default Tools withRecords(Path folder) {
        return this;
    }

    /** Reads a small file (at most 4 MiB), such as one under /proc, /sys or /etc. */
    FileResult read(String path);

    /**
     * Lists what a glob such as {@code /sys/bus/pci/devices/*} matches, sorted; empty when nothing
     * matches.
     *
     * @throws NotKnown when it can't be told, so that nothing reads it as an absence
     */
    List<String> glob(String pattern) throws NotKnown;

    /** The environment that commands start from. */
    Map<String, String> environment();

    /** What this is, for reports: "this machine" or "the recording examples/h200x2/recording". */
    String name();

    /** A question that had no answer. */
    final class NotKnown extends Exception {
        private static final long serialVersionUID = 1L;

        public NotKnown(String why) {
            super(why);
        }
    }
}
