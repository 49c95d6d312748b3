package io.gpuflow.step;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.tool.ToolResult;

/** The fact that a step's tool did not do its work. */
final class FailedTool {
    private FailedTool() {}

    static Observed of(String step, String tool, ToolResult result) {
        boolean exited = result.outcome() == ToolResult.Outcome.EXITED;
        String last = LastLine.of(result.stderr().isBlank() ? result.stdout() : result.stderr());
        return new Observed(
                new ToolFailure(step, tool, kind(result), exited ? result.exit() : null, last),
                Source.of(String.join(" ", result.argv())));
    }

    private static String kind(ToolResult result) {
        return switch (result.outcome()) {
            case MISSING -> "missing";
            case TIMED_OUT -> "timeout";
            case EXITED ->
                    result.exit() == 0 ? "unreadable" : result.exit() > 128 ? "signal" : "exit";
            default -> "unreadable";
        };
    }
}
