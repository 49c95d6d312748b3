package io.gpuflow.cli;

import io.gpuflow.tool.BadRecording;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.RecordedTools;
import io.gpuflow.tool.RecordingTools;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The machine that a command asks: this one, this one with a recording made, or a recording. */
final class Machine implements AutoCloseable {
    private final Tools tools;
    private final LiveTools live;

    private Machine(Tools tools, LiveTools live) {
        this.tools = tools;
        this.live = live;
    }

    /**
     * @param recording folder to replay, or null
     * @param record folder to record into, or null
     */
    static Machine open(Path recording, Path record, List<String> secrets)
            throws BadRecording, Refused {
        if (recording != null) {
            if (record != null) {
                throw new Refused(ExitCode.USAGE, "--machine and --record exclude each other");
            }
            return new Machine(RecordedTools.open(GpuflowHome.find(recording), secrets), null);
        }
        LiveTools live = new LiveTools(null, LiveTools.Limits.USUAL, secrets);
        if (record == null) {
            return new Machine(live, live);
        }
        try {
            return new Machine(
                    RecordingTools.begin(live, record, "", Instant.now(), secrets), live);
        } catch (IOException e) {
            live.close();
            throw new Refused(ExitCode.USAGE, "--record: " + e.getMessage());
        }
    }

    Tools tools() {
        return tools;
    }

    /** True when no tool is run: all answers come from a recording. */
    boolean replay() {
        return live == null;
    }

    @Override
    public void close() {
        if (live != null) {
            live.close();
        }
    }
}
