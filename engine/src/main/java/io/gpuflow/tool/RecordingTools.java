package io.gpuflow.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Passes every question on and writes the answer into a recording, at once: what the machine said
 * before it froze is what one wants to have.
 */
public final class RecordingTools implements Tools {
    private final Tools inner;
    private final RecordingWriter writer;

    /**
     * Begins a recording.
     *
     * @param folder a folder that is empty or does not exist
     * @param machine what the machine is, in words, for whoever reads the recording
     * @param secrets values that are masked in what is written
     * @throws IOException when the folder can't be used; the message says why
     */
    public static RecordingTools begin(
            Tools inner, Path folder, String machine, Instant made, Collection<String> secrets)
            throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "can't be made there" : Words.of(e);
            throw new IOException(folder + ": " + why + "; name a folder where you may write", e);
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new IOException(folder + " is not empty; a recording needs a new folder");
            }
        }
        RecordingWriter writer = new RecordingWriter(folder, secrets);
        writer.about(machine, made, inner.environment());
        return new RecordingTools(inner.withRecords(writer.commands()), writer);
    }

    private RecordingTools(Tools inner, RecordingWriter writer) {
        this.inner = inner;
        this.writer = writer;
    }

    @Override
    public RecordingTools withRecords(Path folder) {
        return new RecordingTools(inner.withRecords(folder), writer);
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        ToolResult result = inner.run(call, lines);
        if (result.outcome() != ToolResult.Outcome.NOT_RECORDED) {
            writer.command(call, result);
        }
        return result;
    }

    @Override
    public FileResult read(String path) {
        FileResult result = inner.read(path);
        writer.file(path, result);
        return result;
    }

    @Override
    public List<String> glob(String pattern) throws NotKnown {
        try {
            List<String> paths = inner.glob(pattern);
            writer.glob(pattern, paths);
            return paths;
        } catch (NotKnown e) {
            writer.glob(pattern, e.getMessage());
            throw e;
        }
    }

    @Override
    public Map<String, String> environment() {
        return inner.environment();
    }

    @Override
    public String name() {
        return inner.name();
    }

    /** Why the recording is incomplete, or null when it holds everything that was asked. */
    public String trouble() {
        return writer.trouble();
    }
}
