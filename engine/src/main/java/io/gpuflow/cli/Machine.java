package io.gpuflow.cli;

import io.gpuflow.tool.BadRecording;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.RecordedTools;
import io.gpuflow.tool.RecordingTools;
import io.gpuflow.tool.Redaction;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The machine that a command asks: this one, this one with a recording made, or a recording. */
final class Machine implements AutoCloseable {
    private final Tools tools;
    private final Path recording;
    private final LiveTools live;
    private final Supplier<String> trouble;

    private Machine(Tools tools, Path recording, LiveTools live, Supplier<String> trouble) {
        this.tools = tools;
        this.recording = recording;
        this.live = live;
        this.trouble = trouble;
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
            Path found = GpuflowHome.find(recording);
            RecordedTools recorded = RecordedTools.open(found, secrets);
            Path folder = found.toAbsolutePath().normalize();
            return new Machine(recorded, folder, null, () -> first(recorded.notes()));
        }
        List<String> hidden = new ArrayList<>(secrets);
        hidden.addAll(Redaction.secretValues(System.getenv()));
        LiveTools live = new LiveTools(null, LiveTools.Limits.USUAL, hidden);
        if (record == null) {
            return new Machine(live, null, live, live::unguarded);
        }
        try {
            RecordingTools both = RecordingTools.begin(live, record, "", Instant.now(), hidden);
            return new Machine(both, null, live, both::trouble);
        } catch (IOException e) {
            live.close();
            throw new Refused(ExitCode.USAGE, "--record: " + e.getMessage());
        }
    }

    Tools tools() {
        return tools;
    }

    private static String first(List<String> notes) {
        return notes.isEmpty() ? null : notes.get(0);
    }

    /** What else should be known: a recording that is incomplete or odd; null when nothing. */
    String note() {
        return trouble.get();
    }

    /** The folder that all answers come from, absolute; null when tools are run. */
    Path recording() {
        return recording;
    }

    @Override
    public void close() {
        if (live != null) {
            live.close();
        }
    }
}
