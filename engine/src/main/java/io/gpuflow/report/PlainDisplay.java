package io.gpuflow.report;

import java.io.PrintStream;

/**
 * A line for each thing that happens, without control codes: for files, pipes and dumb terminals.
 */
public final class PlainDisplay implements RunDisplay {
    /** A line tells that something happened; the recap has the whole of it. */
    private static final int LONGEST = 100;

    private final PrintStream out;

    public PlainDisplay(PrintStream out) {
        this.out = out;
    }

    @Override
    public void stepStarted(String step, String again) {
        print("start " + step + (again == null ? "" : " again: " + again));
    }

    @Override
    public void attemptStarted(String step, String what) {
        print("  " + step + ": " + what);
    }

    /** Tools print too much for a log; their whole output is in the run's folder. */
    @Override
    public void line(String step, String text) {}

    @Override
    public void experimentEnded(String step, String experiment, String outcome, String says) {
        print("  " + step + ": experiment " + experiment + " " + outcome + ": " + says);
    }

    @Override
    public void stepEnded(String step, String word, String reason, double seconds) {
        String time = seconds > 0 ? " (" + Elapsed.of(seconds) + ")" : "";
        print(word + " " + step + time + ": " + reason);
    }

    private void print(String line) {
        String text = SafeText.line(line);
        out.println(text.isEmpty() ? "" : SafeText.cut(indent(line) + text, LONGEST));
        out.flush();
    }

    private static String indent(String line) {
        return line.startsWith("  ") ? "  " : "";
    }

    @Override
    public void close() {}
}
