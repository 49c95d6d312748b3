package io.gpuflow.probe;

import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.time.Duration;

/**
 * Asks nvidia-smi, and asks no more once it did not answer at all: each call to a stuck driver
 * would leave another process that nobody can end.
 */
final class NvidiaSmi {
    /** Without persistence mode each call sets up every GPU anew, a second or two for each. */
    static final Duration LIMIT = Duration.ofSeconds(25);

    private ToolResult list;

    /** {@code nvidia-smi -L}, asked once. */
    synchronized ToolResult list(Tools tools) {
        if (list == null) {
            list = tools.run(call("-L"));
        }
        return list;
    }

    /** Runs nvidia-smi with these arguments and has its output parsed. */
    <R extends Report> Answer<R> ask(Tools tools, Parser<R> parser, String... arguments) {
        ToolCall call = call(arguments);
        ToolResult first = list(tools);
        boolean deaf =
                first.outcome() == ToolResult.Outcome.MISSING
                        || first.outcome() == ToolResult.Outcome.TIMED_OUT;
        if (deaf) {
            return new Answer<>(null, String.join(" ", call.argv()), Failure.of(first));
        }
        return Answer.of(tools, parser, call);
    }

    private static ToolCall call(String... arguments) {
        String[] argv = new String[arguments.length + 1];
        argv[0] = "nvidia-smi";
        System.arraycopy(arguments, 0, argv, 1, arguments.length);
        return ToolCall.of(LIMIT, argv);
    }
}
