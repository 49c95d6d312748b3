package io.gpuflow.report;

import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints what is wrong in files: position and problem, the source line, a caret, and what to do
 * next.
 */
public final class ProblemPrinter {
    private static final int LONGEST_LINE = 120;
    private static final int BEFORE_CARET = 60;

    private ProblemPrinter() {}

    public static void print(Problems problems, PrintStream out) {
        out.print(text(problems));
    }

    /** The same for programs: one map a problem. */
    public static List<Map<String, Object>> values(Problems problems) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (Problem problem : problems.all()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("file", problem.at().file());
            one.put("line", problem.at().line());
            one.put("column", problem.at().column());
            one.put("says", problem.says());
            one.put("next", problem.next());
            list.add(one);
        }
        return list;
    }

    static String text(Problems problems) {
        StringBuilder text = new StringBuilder();
        problems.all().forEach(p -> append(text, p));
        int more = problems.count() - problems.all().size();
        if (more > 0) {
            text.append("… and ").append(more).append(" more\n");
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Problem problem) {
        text.append(SafeText.line(problem.at().toString()))
                .append(": ")
                .append(SafeText.line(problem.says()))
                .append('\n');
        String number = String.format("%5d", problem.at().line());
        if (!problem.line().isEmpty()) {
            excerpt(text, problem, number);
        }
        if (!problem.next().isEmpty()) {
            text.append(" ".repeat(number.length())).append(" = ");
            text.append(SafeText.line(problem.next())).append('\n');
        }
    }

    private static void excerpt(StringBuilder text, Problem problem, String number) {
        int[] line = problem.line().codePoints().toArray();
        int caret = Math.min(problem.at().column() - 1, line.length);
        int from = line.length <= LONGEST_LINE ? 0 : Math.max(0, caret - BEFORE_CARET);
        int to = Math.min(line.length, from + LONGEST_LINE);
        String start = from > 0 ? "…" : "";
        StringBuilder pad = new StringBuilder(from > 0 ? " " : "");
        for (int i = from; i < caret; i++) {
            pad.append(line[i] == '\t' ? "\t" : Character.isIdeographic(line[i]) ? "  " : " ");
        }
        String shown = clean(new String(line, from, to - from));
        text.append(number).append(" | ").append(start).append(shown);
        text.append(to < line.length ? "…" : "").append('\n');
        text.append(" ".repeat(number.length())).append(" | ").append(pad).append('^');
        int width = Math.min(problem.width(), Math.max(1, to - caret));
        text.append("~".repeat(width - 1)).append('\n');
    }

    /** A file must not be able to move the cursor or hide text on the terminal. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            int type = Character.getType(c);
                            boolean bad =
                                    c != '\t' && Character.isISOControl(c)
                                            || type == Character.FORMAT
                                            || type == Character.LINE_SEPARATOR
                                            || type == Character.PARAGRAPH_SEPARATOR
                                            || type == Character.SURROGATE;
                            clean.appendCodePoint(bad ? '\ufffd' : c);
                        });
        return clean.toString();
    }
}
