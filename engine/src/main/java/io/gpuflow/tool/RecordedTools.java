package io.gpuflow.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.tool.ToolResult.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine as it once answered. What was not asked then is not known now: a question without an
 * answer is NOT_RECORDED and names itself.
 *
 * <p>A command matches by its arguments (the program by its base name) and its environment
 * difference. The same command asked again gives the next answer, and at the end the last one
 * again.
 */
public final class RecordedTools implements Tools {
    private record Answer(CallFile call, Path folder) {}

    private final RecordingFolder recording;
    private final Collection<String> secrets;
    private final List<String> notes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<Question, List<Answer>> answers = new HashMap<>();
    private final Map<Question, Integer> given = new HashMap<>();
    private final Map<String, FileResult> contentless = new HashMap<>();
    private final Map<String, JsonNode> globs = new TreeMap<>();
    private Map<String, String> environment = Map.of();
    private String machine;

    /**
     * Opens a recording and looks at all that is in it, so that damage shows before anything is
     * concluded from it.
     *
     * @param secrets declared secret values; a recording holds a mask where they stood
     */
    public static RecordedTools open(Path folder, Collection<String> secrets) throws BadRecording {
        RecordedTools tools;
        try {
            tools = new RecordedTools(new RecordingFolder(folder), secrets);
        } catch (IOException e) {
            throw new BadRecording(List.of(folder + ": " + Words.of(e)));
        }
        tools.readAll();
        if (!tools.problems.isEmpty()) {
            throw new BadRecording(tools.problems);
        }
        return tools;
    }

    public static RecordedTools open(Path folder) throws BadRecording {
        return open(folder, List.of());
    }

    private RecordedTools(RecordingFolder recording, Collection<String> secrets) {
        this.recording = recording;
        this.secrets = List.copyOf(secrets);
    }

    private void readAll() {
        Path root = recording.root();
        Path about = root.resolve("recording.json");
        if (!recording.exists(about)) {
            problems.add(about + ": does not exist; is " + root + " a recording?");
            return;
        }
        read(about, this::readAbout);
        read(root.resolve("files.json"), this::readContentless);
        read(root.resolve("globs.json"), this::readGlobs);
        readCommands(root.resolve("commands"));
        checkFolder(root.resolve("files"), FileReader.LARGEST);
    }

    private void checkFolder(Path folder, long largest) {
        try {
            for (Path file : KeptFiles.below(folder)) {
                checkFile(file, largest);
            }
        } catch (IOException e) {
            problems.add(folder + ": " + Words.of(e));
        }
    }

    private void checkFile(Path file, long largest) {
        try {
            recording.check(file, largest);
        } catch (IOException e) {
            problems.add(file + ": " + e.getMessage());
        }
    }

    private interface Reading {
        void take(JsonNode json) throws IOException;
    }

    private void read(Path file, Reading reading) {
        try {
            JsonNode json = recording.json(file);
            if (json != null) {
                reading.take(json);
            }
        } catch (IOException | IllegalArgumentException e) {
            problems.add(file + ": " + e.getMessage());
        }
    }

    private void readAbout(JsonNode json) {
        Json object = new Json(json);
        if (object.number("gpuflow", 0, 0, 1e9) != RecordingWriter.VERSION) {
            throw new IllegalArgumentException(
                    "gpuflow is not "
                            + RecordingWriter.VERSION
                            + ", the version this gpuflow reads");
        }
        environment = object.map("environment");
        environment.values().removeIf(java.util.Objects::isNull);
        machine = object.text("machine", null);
    }

    private void readContentless(JsonNode json) {
        if (!json.isArray()) {
            throw new IllegalArgumentException("it is not a JSON list");
        }
        for (JsonNode element : json) {
            Json object = new Json(element);
            String path = object.text("path", null);
            if (path == null) {
                throw new IllegalArgumentException("an entry has no path");
            }
            boolean absent = element.path("absent").asBoolean(false);
            String why = object.text("why", absent ? "does not exist" : "could not be read");
            contentless.put(normal(path), new FileResult(path, null, why, absent));
        }
    }

    private void readGlobs(JsonNode json) {
        new Json(json);
        json.fields().forEachRemaining(entry -> globs.put(entry.getKey(), entry.getValue()));
        for (String pattern : globs.keySet()) {
            if (globs.get(pattern).isArray()) {
                new Json(json).texts(pattern);
            } else {
                new Json(globs.get(pattern)).text("why", null);
            }
        }
    }

    private void readCommands(Path commands) {
        if (!recording.exists(commands)) {
            return;
        }
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(commands)) {
            stream.forEach(folders::add);
        } catch (IOException e) {
            problems.add(commands + ": " + Words.of(e));
        }
        folders.sort(null);
        for (Path folder : folders) {
            Path file = folder.resolve(CallFile.NAME);
            if (recording.exists(file)) {
                read(file, json -> readCall(folder, CallFile.read(json)));
            } else {
                notes.add(folder + " has no " + CallFile.NAME + " and is not used");
            }
        }
    }

    private void readCall(Path folder, CallFile call) throws IOException {
        for (String name : List.of("stdout", "stderr")) {
            Path output = folder.resolve(name);
            if (recording.exists(output)) {
                checkFile(output, RecordingFolder.LARGEST_OUTPUT);
            } else if (name.equals("stdout") && call.outcome() == Outcome.EXITED) {
                throw new IOException("the file stdout beside it is missing");
            }
        }
        checkFolder(folder.resolve(KeptFiles.FOLDER), KeptFiles.LARGEST);
        answers.computeIfAbsent(call.question(), question -> new ArrayList<>())
                .add(new Answer(call, folder));
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        Question question = Question.of(call, secrets);
        Answer answer = next(question);
        if (answer == null) {
            return ToolResult.without(call, Outcome.NOT_RECORDED, notRecorded(question));
        }
        try {
            if (call.folder() != null) {
                KeptFiles.putBack(recording, answer.folder(), call.folder());
            }
            return replay(call, answer, lines);
        } catch (IOException e) {
            return ToolResult.without(
                    call, Outcome.NOT_RECORDED, answer.folder() + ": " + Words.of(e));
        }
    }

    private synchronized Answer next(Question question) {
        List<Answer> all = answers.get(question);
        if (all == null) {
            return null;
        }
        int turn = given.merge(question, 1, Integer::sum) - 1;
        return all.get(Math.min(turn, all.size() - 1));
    }

    private String notRecorded(Question question) {
        StringBuilder why = new StringBuilder(name() + " has no answer to: " + question);
        for (Question other : answers.keySet()) {
            if (other.argv().equals(question.argv())) {
                why.append("; it has one to: ").append(other);
            }
        }
        return why.toString();
    }

    private ToolResult replay(ToolCall call, Answer answer, OutputLines lines) throws IOException {
        Path out = answer.folder().resolve("stdout");
        Path err = answer.folder().resolve("stderr");
        CallFile told = answer.call();
        return new ToolResult(
                call.argv(),
                told.outcome(),
                told.exit(),
                text(out, false, lines),
                text(err, true, lines),
                recording.exists(out) ? out : null,
                recording.exists(err) ? err : null,
                told.seconds(),
                told.why(),
                told.notes(),
                told.strays());
    }

    private String text(Path file, boolean stderr, OutputLines lines) throws IOException {
        Ends ends = new Ends(LiveTools.Limits.USUAL.memory());
        LineSplitter splitter = new LineSplitter(text -> lines.line(stderr, text));
        if (recording.exists(file)) {
            recording.check(file, RecordingFolder.LARGEST_OUTPUT);
            try (InputStream in = Files.newInputStream(file)) {
                byte[] buffer = new byte[1 << 16];
                int count;
                while ((count = in.read(buffer)) >= 0) {
                    ends.add(buffer, count);
                    splitter.add(buffer, count);
                }
            }
        }
        splitter.end();
        return ends.text();
    }

    @Override
    public FileResult read(String path) {
        try {
            Path file = recording.mirror(path);
            if (Files.isDirectory(file) || !recording.exists(file)) {
                FileResult known = contentless.get(normal(path));
                return known != null
                        ? new FileResult(path, null, known.why(), known.absent())
                        : new FileResult(path, null, "is not in the recording", false);
            }
            recording.check(file, FileReader.LARGEST);
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return new FileResult(path, text, null, false);
        } catch (InvalidPathException e) {
            return new FileResult(path, null, "is not a valid file name", false);
        } catch (IOException e) {
            return new FileResult(path, null, name() + ": " + Words.of(e), false);
        }
    }

    private static String normal(String path) {
        try {
            return Path.of(path).normalize().toString();
        } catch (InvalidPathException e) {
            return path;
        }
    }

    @Override
    public List<String> glob(String pattern) throws NotKnown {
        JsonNode answer = globs.get(pattern);
        if (answer == null) {
            throw new NotKnown("the list of " + pattern + " is not in the recording");
        }
        if (!answer.isArray()) {
            throw new NotKnown(new Json(answer).text("why", "could not be listed"));
        }
        List<String> paths = new ArrayList<>();
        answer.forEach(path -> paths.add(path.textValue()));
        return paths.stream().sorted().toList();
    }

    @Override
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    @Override
    public String name() {
        return "the recording " + recording.root();
    }

    /** What the recording says about the machine it was made on, or null. */
    public String machine() {
        return machine;
    }

    /** What is odd about the recording though it can be used. */
    public List<String> notes() {
        return List.copyOf(notes);
    }
}
