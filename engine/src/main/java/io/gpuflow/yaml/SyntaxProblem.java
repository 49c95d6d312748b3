package io.gpuflow.yaml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Says in plain words where a text stops being YAML, and what to write instead. */
final class SyntaxProblem {
    private static final Pattern CONDITION = Pattern.compile(".*\\b(if|when)\\s*:\\s.*");
    private static final Pattern TAGGED = Pattern.compile("[\\s-]*(?:[\\w-]+\\s*:\\s+)?(!.*)");
    private static final Pattern BARE_TEMPLATE = Pattern.compile(".*[\\s:\\[,]\\$\\{\\{.*");

    private static final int LONGEST_LINE = 1000;

    private SyntaxProblem() {}

    static void report(MarkedYAMLException e, SourceText source, Problems problems) {
        Mark mark = e.getProblemMark() != null ? e.getProblemMark() : e.getContextMark();
        String problem = String.valueOf(e.getProblem());
        String context = String.valueOf(e.getContext());
        if (problem.startsWith("found unexpected end of stream") && e.getContextMark() != null) {
            mark = e.getContextMark();
        }
        Position at = new Position(source.file, mark.getLine() + 1, mark.getColumn() + 1);
        String whole = source.line(at.line());
        // The patterns below look for what people write, not for lines made to keep them busy.
        String line = whole.length() > LONGEST_LINE ? "" : whole;
        Matcher tagged = TAGGED.matcher(line);
        if (tagged.matches() && tagged.start(1) < at.column()) {
            int column = line.codePointCount(0, tagged.start(1)) + 1;
            exclamation(new Position(at.file(), at.line(), column), tagged.group(1), problems);
            return;
        }
        problems.at(at, says(problem, context), next(problem, context, line));
    }

    /** YAML takes {@code if: !has(x)} for a tag, and drops the ! of {@code if: ! x}. */
    static void exclamation(Position at, String rest, Problems problems) {
        String quoted = "'" + rest.strip().replace("'", "''") + "'";
        String says = "text that begins with ! must be quoted";
        problems.at(at, rest.strip().length(), says, "write " + quoted);
    }

    private static String says(String problem, String context) {
        if (problem.startsWith("mapping values are not allowed")) {
            return "a : is not expected here";
        }
        if (problem.contains("\\t") || problem.contains("TAB")) {
            return "a tab can't be used to indent";
        }
        if (problem.startsWith("found unexpected end of stream")) {
            return "the quoted text that begins here is not closed";
        }
        if (problem.startsWith("found undefined alias")) {
            return "there is no anchor for this alias";
        }
        if (problem.startsWith("but found another document")) {
            return "a second document begins here";
        }
        if (problem.startsWith("could not find expected ':'")) {
            return "the line before has no : after its key";
        }
        if (problem.startsWith("expected <block end>")) {
            return context.contains("collection")
                    ? "this does not continue the list above"
                    : "this does not continue the map above";
        }
        if (problem.startsWith("expected ',' or")) {
            return "a comma or a closing bracket is missing before this";
        }
        if (context.contains("alias")) {
            return "text that begins with * must be quoted";
        }
        return "not YAML: " + problem;
    }

    /** What to do; of several causes the likeliest, by what stands on the line. */
    private static String next(String problem, String context, String line) {
        if (problem.startsWith("but found another document")) {
            return "keep one document in the file, without a second ---";
        }
        if (context.contains("alias") || problem.startsWith("found undefined alias")) {
            return "for example '*.log'";
        }
        if (CONDITION.matcher(line).matches()) {
            return "quote the whole expression: if: '…' (YAML gives ! \" ' [ { & * # and \": \" a"
                    + " meaning of their own)";
        }
        if (BARE_TEMPLATE.matcher(line).matches()) {
            return "quote a text with ${{ }}: \"${{ … }}\"";
        }
        if (problem.contains("\\t") || problem.contains("TAB")) {
            return "use spaces";
        }
        if (problem.startsWith("mapping values")) {
            return "quote a text that holds \": \", or check the indentation";
        }
        if (problem.startsWith("expected <block end>")) {
            return "check the indentation; a quoted text must be the whole value";
        }
        return problem.startsWith("found unexpected end of stream") ? "close it" : context(context);
    }

    private static String context(String context) {
        if (context.contains("flow")) {
            return "inside [ ] and { } a text that holds , [ ] { } or \" must be quoted";
        }
        return context.equals("null") ? "" : "seen " + context;
    }
}
