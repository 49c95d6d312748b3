package io.gpuflow.probe;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.ToolResult.Outcome;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A machine made up for a test. What is not set is missing: no program, no file. */
final class FakeTools implements Tools {
    private final Map<String, Function<ToolCall, ToolResult>> commands = new HashMap<>();
    private final Map<String, FileResult> files = new HashMap<>();
    private final Map<String, List<String>> globs = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private Function<ToolCall, ToolResult> other = FakeTools::missing;
    private Function<String, FileResult> otherFile =
            path -> new FileResult(path, null, "does not exist", true);
    private String globsUnknown;

    /** Every command run, as typed. */
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    FakeTools prints(String command, String stdout) {
        return exits(command, 0, stdout, "");
    }

    FakeTools exits(String command, int exit, String stdout, String stderr) {
        commands.put(command, call -> result(call, Outcome.EXITED, exit, stdout, stderr, null));
        return this;
    }

    FakeTools hangs(String command) {
        commands.put(command, FakeTools::timedOut);
        return this;
    }

    /** What every command not named gives. */
    FakeTools others(Function<ToolCall, ToolResult> answer) {
        other = answer;
        return this;
    }

    FakeTools file(String path, String text) {
        files.put(path, new FileResult(path, text, null, false));
        return this;
    }

    FakeTools denied(String path) {
        files.put(path, new FileResult(path, null, "permission denied", false));
        return this;
    }

    FakeTools otherFiles(Function<String, FileResult> answer) {
        otherFile = answer;
        return this;
    }

    FakeTools glob(String pattern, String... paths) {
        globs.put(pattern, List.of(paths));
        return this;
    }

    FakeTools globsUnknown(String why) {
        globsUnknown = why;
        return this;
    }

    FakeTools env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    static ToolResult missing(ToolCall call) {
        String why = call.argv().get(0) + " is not installed, or not on PATH";
        return result(call, Outcome.MISSING, -1, "", "", why);
    }

    static ToolResult timedOut(ToolCall call) {
        String why = "did not finish within " + call.limit().toSeconds() + " s and was ended";
        return result(call, Outcome.TIMED_OUT, -1, "", "", why);
    }

    static ToolResult result(
            ToolCall call, Outcome outcome, int exit, String stdout, String stderr, String why) {
        return new ToolResult(
                call.argv(),
                outcome,
                exit,
                stdout,
                stderr,
                null,
                null,
                0.1,
                why,
                List.of(),
                List.of());
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        String typed = String.join(" ", call.argv());
        asked.add(typed);
        Function<ToolCall, ToolResult> answer = commands.get(typed);
        if (answer == null && call.argv().size() > 2 && call.argv().get(1).equals("-c")) {
            answer = commands.get(call.argv().get(0) + " -c");
        }
        return (answer == null ? other : answer).apply(call);
    }

    @Override
    public FileResult read(String path) {
        FileResult file = files.get(path);
        return file != null ? file : otherFile.apply(path);
    }

    @Override
    public List<String> glob(String pattern) throws NotKnown {
        List<String> paths = globs.get(pattern);
        if (paths == null && globsUnknown != null) {
            throw new NotKnown(globsUnknown);
        }
        return paths == null ? List.of() : paths;
    }

    @Override
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    @Override
    public String name() {
        return "a made-up machine";
    }
}
