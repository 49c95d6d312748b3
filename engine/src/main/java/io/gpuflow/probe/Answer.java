package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.time.Duration;
import java.util.List;

/**
 * What came of one question: a report, or the reason why there is none.
 *
 * @param report what the parser read, or null
 * @param source the command as typed, or the file
 * @param why null when there is a report; else in words a user can act on
 */
record Answer<R extends Report>(R report, String source, String why) {
    /** The time a tool gets unless there is a reason for another. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    boolean ok() {
        return report != null;
    }

    /** The report's facts; without a report, an Unknown for each of these types. */
    List<Observed> facts(List<Class<? extends Fact>> brings) {
        return ok() ? report.facts(source) : Answer.unknown(brings, why, source);
    }

    static <R extends Report> Answer<R> of(Tools tools, Parser<R> parser, String... argv) {
        return of(tools, parser, ToolCall.of(LIMIT, argv));
    }

    static <R extends Report> Answer<R> of(Tools tools, Parser<R> parser, ToolCall call) {
        return of(tools, parser, call, String.join(" ", call.argv()));
    }

    /**
     * Runs a command and has its standard output parsed.
     *
     * @param source what to call the command in messages
     */
    static <R extends Report> Answer<R> of(
            Tools tools, Parser<R> parser, ToolCall call, String source) {
        return of(tools.run(call), parser, source);
    }

    /** Has the standard output of a command that was run parsed. */
    static <R extends Report> Answer<R> of(ToolResult result, Parser<R> parser, String source) {
        String why = Failure.of(result, source);
        if (why != null && result.outcome() != ToolResult.Outcome.EXITED) {
            return new Answer<>(null, source, why);
        }
        R report = parser.parse(result.stdout());
        if (report.error() == null && (why == null || !report.facts(source).isEmpty())) {
            // Tools end in an error for a part of the answer too: nvidia-smi for a damaged InfoROM.
            return new Answer<>(report, source, null);
        }
        return new Answer<>(
                null,
                source,
                why != null ? why : Failure.unreadable(result, source, report.error()));
    }

    /** Reads a file and has it parsed. */
    static <R extends Report> Answer<R> ofFile(Tools tools, Parser<R> parser, String path) {
        FileResult file = tools.read(path);
        if (!file.ok()) {
            return new Answer<>(null, path, Failure.of(file));
        }
        R report = parser.parse(file.text());
        return report.error() == null
                ? new Answer<>(report, path, null)
                : new Answer<>(null, path, path + ": " + report.error());
    }

    static List<Observed> unknown(List<Class<? extends Fact>> types, String why, String source) {
        return types.stream().map(t -> unknown(t.getSimpleName(), why, source)).toList();
    }

    static Observed unknown(String what, String why, String source) {
        return new Observed(new Unknown(what, why), Source.of(source));
    }

    static Observed known(Fact fact, String source) {
        return new Observed(fact, Source.of(source));
    }
}
