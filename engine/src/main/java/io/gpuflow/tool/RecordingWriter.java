package io.gpuflow.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes a recording, each answer at once. A failure to write is kept, never thrown at the run. */
final class RecordingWriter {
    static final int VERSION = 1;

    private final RecordingFolder recording;
    private final Collection<String> secrets;
    private final Set<String> filesSeen = new HashSet<>();
    private final Map<String, FileResult> contentless = new TreeMap<>();
    private final Map<String, Object> globs = new TreeMap<>();
    private int commands;
    private String trouble;

    RecordingWriter(Path folder, Collection<String> secrets) throws IOException {
        this.recording = new RecordingFolder(folder);
        this.secrets = List.copyOf(secrets);
    }

    void about(String machine, Instant made, Map<String, String> all) throws IOException {
        Map<String, String> environment = Redaction.relevant(all);
        JsonText.write(
                recording.root().resolve("recording.json"),
                json -> {
                    json.writeStartObject();
                    json.writeNumberField("gpuflow", VERSION);
                    json.writeStringField("made", made.toString());
                    json.writeStringField("machine", machine);
                    json.writeStringField("note", "");
                    json.writeObjectFieldStart("environment");
                    for (Map.Entry<String, String> variable : environment.entrySet()) {
                        String value = SecretMask.mask(variable.getValue(), secrets);
                        json.writeStringField(variable.getKey(), value);
                    }
                    json.writeEndObject();
                    json.writeEndObject();
                });
    }

    /** Where commands may leave what they print, so that it is in the recording as it comes. */
    Path commands() {
        return recording.root().resolve("commands");
    }

    void command(ToolCall call, ToolResult result) {
        try {
            Path folder = folderOf(result);
            if (folder == null) {
                folder = CallFolder.create(commands(), nextCommand(), call.argv());
                output(result.stdoutFile(), result.stdout(), folder.resolve("stdout"));
                output(result.stderrFile(), result.stderr(), folder.resolve("stderr"));
            } else {
                count(CallFolder.number(folder));
                MaskedCopy.inPlace(result.stdoutFile(), secrets);
                MaskedCopy.inPlace(result.stderrFile(), secrets);
            }
            List<String> left = KeptFiles.take(call.folder(), call.keeps(), folder, secrets);
            left.forEach(this::addTrouble);
            CallFile.of(call, result, Placeholders.of(call), secrets).write(folder);
        } catch (IOException e) {
            addTrouble("commands: " + Words.of(e));
        }
    }

    /** The folder that the command itself has filled; null when it lies elsewhere. */
    private Path folderOf(ToolResult result) {
        Path file = result.stdoutFile();
        return file != null && file.startsWith(commands()) ? file.getParent() : null;
    }

    private byte[] bytes(String text) {
        return SecretMask.mask(text, secrets).getBytes(StandardCharsets.UTF_8);
    }

    private synchronized void count(int number) {
        commands = Math.max(commands, number);
    }

    private synchronized int nextCommand() {
        return ++commands;
    }

    private void output(Path file, String text, Path to) throws IOException {
        if (file == null || !Files.exists(file)) {
            Files.write(to, bytes(text));
            return;
        }
        MaskedCopy.copy(file, to, secrets);
    }

    synchronized void file(String path, FileResult result) {
        if (!filesSeen.add(path)) {
            return;
        }
        try {
            if (result.ok()) {
                Path file = recording.mirror(path);
                Files.createDirectories(file.getParent());
                Files.write(file, bytes(result.text()));
            } else {
                contentless.put(path, result);
                writeContentless();
            }
        } catch (IOException | InvalidPathException e) {
            addTrouble(path + ": " + (e instanceof IOException io ? Words.of(io) : e.getMessage()));
        }
    }

    private void writeContentless() throws IOException {
        JsonText.write(
                recording.root().resolve("files.json"),
                json -> {
                    json.writeStartArray();
                    for (FileResult file : contentless.values()) {
                        json.writeStartObject();
                        json.writeStringField("path", file.path());
                        if (file.absent()) {
                            json.writeBooleanField("absent", true);
                        } else {
                            json.writeStringField("why", file.why());
                        }
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    /** The answer is a list of paths or the reason why there is none. */
    synchronized void glob(String pattern, Object answer) {
        if (globs.putIfAbsent(pattern, answer) != null) {
            return;
        }
        try {
            JsonText.write(recording.root().resolve("globs.json"), this::writeGlobs);
        } catch (IOException e) {
            addTrouble("globs.json: " + Words.of(e));
        }
    }

    private void writeGlobs(JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Object> glob : globs.entrySet()) {
            json.writeFieldName(glob.getKey());
            if (glob.getValue() instanceof List<?> paths) {
                json.writeStartArray();
                for (Object path : paths) {
                    json.writeString(path.toString());
                }
                json.writeEndArray();
            } else {
                json.writeStartObject();
                json.writeStringField("why", glob.getValue().toString());
                json.writeEndObject();
            }
        }
        json.writeEndObject();
    }

    private synchronized void addTrouble(String text) {
        trouble = trouble == null ? text : trouble;
    }

    /** Why the recording is incomplete, or null when it holds everything that was asked. */
    synchronized String trouble() {
        return trouble;
    }
}
