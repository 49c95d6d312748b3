package io.gpuflow.flow;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.List;
import java.util.Map;

/** Tools that remember what was run last and what it printed last, for the message of a timeout. */
final class WatchedTools implements Tools {
    private final Tools tools;
    private final OutputLines lines;
    private volatile String tool = "";
    private volatile String lastLine = "";

    WatchedTools(Tools tools, OutputLines lines) {
        this.tools = tools;
        this.lines = lines;
    }

    /** The command that was started last, empty when there was none. */
    String tool() {
        return tool;
    }

    String lastLine() {
        return lastLine;
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines told) {
        tool = CommandAction.shown(call.argv());
        lastLine = "";
        return tools.run(call, new Following(told));
    }

    /** Passes everything on; only looks at the lines. */
    private final class Following implements OutputLines {
        private final OutputLines told;

        Following(OutputLines told) {
            this.told = told;
        }

        @Override
        public void line(boolean stderr, String text) {
            lastLine = text.isBlank() ? lastLine : text.strip();
            told.line(stderr, text);
        }

        @Override
        public String giveUp() {
            return told.giveUp();
        }

        @Override
        public void beforeEnd(List<ProcessHandle> processes) {
            told.beforeEnd(processes);
        }
    }

    @Override
    public ToolResult run(ToolCall call) {
        return run(call, lines);
    }

    @Override
    public FileResult read(String path) {
        return tools.read(path);
    }

    @Override
    public List<String> glob(String pattern) throws NotKnown {
        return tools.glob(pattern);
    }

    @Override
    public Map<String, String> environment() {
        return tools.environment();
    }

    @Override
    public String name() {
        return tools.name();
    }
}
