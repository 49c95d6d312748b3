package io.gpuflow.flow;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Answers commands by a function and remembers them. */
final class FakeTools implements Tools {
    final List<ToolCall> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<String, String> environment = new LinkedHashMap<>();
    final Map<String, String> files = new LinkedHashMap<>();
    private final Function<ToolCall, ToolResult> answer;

    FakeTools(Function<ToolCall, ToolResult> answer) {
        this.answer = answer;
    }

    static ToolResult exited(ToolCall call, int exit, String stdout, String stderr) {
        return result(call, ToolResult.Outcome.EXITED, exit, stdout, stderr, null);
    }

    static ToolResult result(
            ToolCall call,
            ToolResult.Outcome outcome,
            int exit,
            String stdout,
            String stderr,
            String why) {
        return new ToolResult(call.argv(), outcome, exit, stdout, stderr, null, null, 0.5, why);
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        calls.add(call);
        ToolResult result = answer.apply(call);
        result.stdout().lines().forEach(line -> lines.line(false, line));
        return result;
    }

    @Override
    public FileResult read(String path) {
        String text = files.get(path);
        return new FileResult(path, text, text == null ? "does not exist" : null, text == null);
    }

    @Override
    public List<String> glob(String pattern) {
        return List.of();
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public String name() {
        return "this machine";
    }
}
