package io.gpuflow.report;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The end of a run for a person: what matters first. States of the steps, then findings with what
 * to do, then what is unknown and why, then the next step in one line.
 */
public final class Recap {
    private static final int REASONS_SHOWN = 8;
    private static final int TIME_WIDTH = 10;

    private final Style style;
    private final Wrap wrap;
    private final Places places;
    private final VerdictText verdicts;
    private final List<String> lines = new ArrayList<>();

    private Recap(RunReport run, Terminal terminal) {
        this.style = terminal.style();
        this.wrap = new Wrap(terminal.width());
        this.places = Places.of(run);
        this.verdicts = new VerdictText(style, terminal.width(), places);
    }

    /** The whole recap, a line an element. */
    public static List<String> lines(RunReport run, Terminal terminal) {
        Recap recap = new Recap(run, terminal);
        recap.head(run);
        recap.steps(run);
        recap.findings(run);
        recap.unknown(run.untold());
        recap.lines.addAll(new SiteLines(terminal).lines(run.site()));
        recap.tail(run);
        return recap.lines;
    }

    private void head(RunReport run) {
        lines.add("");
        String what = (run.dryRun() ? "dry run of " : "") + run.workflow();
        String where = run.replay() ? ", replay of " : " on ";
        lines.add(style.bold(SafeText.line(what + where + run.machine())));
        if (run.replay()) {
            lines.add("Nothing was run here: every answer comes from the recording.");
        }
    }

    private void steps(RunReport run) {
        int widest = run.steps().stream().mapToInt(s -> s.id().length()).max().orElse(0);
        int state = run.steps().stream().mapToInt(s -> s.state().length()).max().orElse(0) + 2;
        Map<String, String> told = new HashMap<>();
        for (RunReport.StepLine step : run.steps()) {
            String time = step.seconds() > 0 ? Elapsed.of(step.seconds()) : "";
            String head =
                    "  "
                            + style.word(step.state(), padded(step.state(), state))
                            + padded(step.id(), widest)
                            + " ".repeat(Math.max(1, TIME_WIDTH - time.length()))
                            + time
                            + "  ";
            int indent = 2 + state + widest + TIME_WIDTH + 2;
            List<String> said = StepText.of(step, told);
            lines.addAll(wrap.hanging(head, indent + 2, said.get(0)));
            said.subList(1, said.size()).forEach(line -> add(indent, line));
        }
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private void add(int indent, String text) {
        lines.addAll(wrap.hanging(" ".repeat(indent), indent + 2, SafeText.line(text)));
    }

    private void findings(RunReport run) {
        if (!run.verdicts().isEmpty()) {
            lines.add("");
            lines.addAll(verdicts.lines(run.verdicts()));
        }
        for (Advice advice : run.advice()) {
            add(6, notTried(advice));
        }
    }

    static String notTried(Advice advice) {
        return "advised, but no step declares it: experiment "
                + advice.experiment()
                + ", because "
                + advice.reason();
    }

    /** What could not be told, each reason once. */
    private void unknown(List<Judgement.Untold> untold) {
        if (untold.isEmpty()) {
            return;
        }
        List<Missing> reasons = Missing.of(untold);
        lines.add("");
        lines.add(
                style.word("unknown", "unknown")
                        + ": "
                        + count(untold.size(), "check")
                        + " could not be told");
        reasons.stream()
                .limit(REASONS_SHOWN)
                .forEach(missing -> lines.addAll(wrap.hanging("      ", 8, missing.line())));
        if (reasons.size() > REASONS_SHOWN) {
            lines.add("      … and " + count(reasons.size() - REASONS_SHOWN, "further reason"));
        }
    }

    private void tail(RunReport run) {
        lines.add("");
        for (String note : run.notes()) {
            lines.addAll(wrap.hanging("note: ", 6, SafeText.line(note)));
        }
        lines.addAll(wrap.hanging("", 2, style.bold(SafeText.line(run.headline()))));
        if (run.next() != null) {
            lines.addAll(wrap.hanging("Next: ", 6, SafeText.line(run.next())));
        }
        if (run.folder() != null) {
            String above = places.inRecord() ? " (… above)" : "";
            lines.add(style.dim("Record: " + run.folder() + above));
        }
    }

    static String count(int n, String thing) {
        return n + " " + thing + (n == 1 ? "" : "s");
    }
}
