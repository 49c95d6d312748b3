package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A step's own command: {@code cmd:}, or {@code sh:} as a script for /bin/sh. It runs in the
 * caller's folder. Its exit status decides; a parser or patterns may read what it printed.
 */
final class CommandAction implements Action {
    /** Runs the scripts of {@code sh:}. */
    static final String SHELL = "/bin/sh";

    private static final int LONGEST_LINE = 200;

    private final List<String> argv;
    private final Parser<?> parser;
    private final Extract extract;

    /**
     * @param parser reads its standard output, or null
     * @param extract takes outputs from it, or null
     */
    CommandAction(List<String> argv, Parser<?> parser, Extract extract) {
        this.argv = argv;
        this.parser = parser;
        this.extract = extract;
    }

    @Override
    public Outcome run(Context context) throws InterruptedException {
        ToolCall call = new ToolCall(argv, context.env(), null, context.limit());
        ToolResult result = context.tools().run(call, context.lines());
        String tool = shown(argv);
        return switch (result.outcome()) {
            case EXITED -> exited(context.step(), tool, result);
            case INTERRUPTED -> throw new InterruptedException();
            case NOT_RECORDED -> outcome(State.UNKNOWN, result.why(), List.of());
            case MISSING -> broken(context.step(), tool, "missing", result, result.why());
            case TIMED_OUT ->
                    broken(
                            context.step(),
                            tool,
                            ToolFailures.TIMEOUT,
                            result,
                            timedOut(context, tool, result));
            case BROKEN -> broken(context.step(), tool, "unreadable", result, result.why());
        };
    }

    private static String timedOut(Context context, String tool, ToolResult result) {
        String said = "timed out after " + Words.duration(context.limit()) + ": " + tool;
        String last = lastLine(result);
        return last.isEmpty() ? said + " printed nothing" : said + "; last line: " + last;
    }

    private Outcome exited(String step, String tool, ToolResult result) {
        List<Observed> facts = new ArrayList<>();
        Map<String, Object> out = new LinkedHashMap<>();
        String unread = read(step, tool, result, facts, out);
        if (result.exit() != 0) {
            facts.add(failure(step, tool, exitKind(result.exit()), result));
            String last = lastLine(result);
            String reason = exitWords(result.exit()) + (last.isEmpty() ? "" : ": " + last);
            return new Outcome(State.FAILED, reason, facts, out);
        }
        if (unread != null) {
            facts.add(failure(step, tool, "unreadable", result));
            return new Outcome(State.BROKEN, "its output could not be read: " + unread, facts, out);
        }
        String values = Words.values(out);
        return new Outcome(State.PASSED, values.isEmpty() ? "exit 0" : values, facts, out);
    }

    /** Why the output could not be read, or null. */
    private String read(
            String step,
            String tool,
            ToolResult result,
            List<Observed> facts,
            Map<String, Object> out) {
        if (parser != null) {
            Report report = parser.parse(result.stdout());
            facts.addAll(report.facts(tool));
            out.putAll(report instanceof OwnParser.Values own ? own.out() : RecordJson.map(report));
            return report.error();
        }
        if (extract == null) {
            return null;
        }
        String unread = Extracted.into(out, extract, result.stdout());
        facts.addAll(OwnParser.facts(step, out, tool));
        return unread;
    }

    private static String exitKind(int exit) {
        return exit > 128 ? "signal" : "exit";
    }

    private static String exitWords(int exit) {
        return exit > 128
                ? "ended by signal " + (exit - 128) + " (exit " + exit + ")"
                : "exit " + exit;
    }

    private static Outcome broken(
            String step, String tool, String kind, ToolResult result, String reason) {
        return outcome(State.BROKEN, reason, List.of(failure(step, tool, kind, result)));
    }

    private static Outcome outcome(State state, String reason, List<Observed> facts) {
        return new Outcome(state, reason, facts, Map.of());
    }

    private static Observed failure(String step, String tool, String kind, ToolResult result) {
        Integer exit = result.outcome() == ToolResult.Outcome.EXITED ? result.exit() : null;
        ToolFailure failure = new ToolFailure(step, tool, kind, exit, lastLine(result));
        return new Observed(failure, Source.of(tool));
    }

    /** The last line that says something; errors count more than output. */
    static String lastLine(ToolResult result) {
        String line = Words.lastLine(result.stderr());
        return Words.shorten(line.isEmpty() ? Words.lastLine(result.stdout()) : line, LONGEST_LINE);
    }

    static String shown(List<String> argv) {
        boolean script = argv.size() == 3 && argv.get(0).equals(SHELL) && argv.get(1).equals("-c");
        String text = script ? "sh: " + argv.get(2) : String.join(" ", argv);
        return Words.shorten(text.strip().replaceAll("\\s+", " "), LONGEST_LINE);
    }
}
