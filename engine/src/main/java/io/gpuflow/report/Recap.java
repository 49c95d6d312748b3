package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The end of a run for a person: what matters first. States of the steps, then findings with what
 * to do, then what is unknown and why, then the next step in one line.
 */
public final class Recap {
    private static final int REASONS_SHOWN = 8;
    private static final int TIME_WIDTH = 10;

    private final Style style;
    private final Wrap wrap;
    private final VerdictText verdicts;
    private final List<String> lines = new ArrayList<>();

    private Recap(Terminal terminal) {
        this.style = terminal.style();
        this.wrap = new Wrap(terminal.width());
        this.verdicts = new VerdictText(style, terminal.width());
    }

    /** The whole recap, a line an element. */
    public static List<String> lines(RunReport run, Terminal terminal) {
        Recap recap = new Recap(terminal);
        recap.head(run);
        recap.steps(run);
        recap.findings(run);
        recap.unknown(run.untold());
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
            lines.addAll(wrap.hanging(head, indent, SafeText.line(reason(step))));
            if (step.argv() != null) {
                add(indent, "$ " + String.join(" ", step.argv()));
            }
            for (RunReport.ExperimentLine tried : step.experiments()) {
                add(indent, "tried " + tried.name() + ", " + tried.outcome() + ": " + tried.says());
            }
        }
    }

    private static String reason(RunReport.StepLine step) {
        List<RunReport.AttemptLine> own =
                step.attempts().stream().filter(a -> a.experiment() == null).toList();
        long points = own.stream().map(RunReport.AttemptLine::matrix).distinct().count();
        return own.size() > points
                ? step.reason() + " [" + own.size() + " attempts]"
                : step.reason();
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
        for (var advice : run.advice()) {
            add(
                    6,
                    "advised, but no step declares it: experiment "
                            + advice.experiment()
                            + ", because "
                            + advice.reason());
        }
    }

    /** What could not be told, gathered by its reason, the reason behind most of it first. */
    private void unknown(List<Judgement.Untold> untold) {
        if (untold.isEmpty()) {
            return;
        }
        Map<String, Set<String>> whats = new LinkedHashMap<>();
        Map<String, Set<String>> rules = new LinkedHashMap<>();
        for (Judgement.Untold rule : untold) {
            for (Unknown missing : rule.missing()) {
                whats.computeIfAbsent(missing.why(), w -> new TreeSet<>()).add(missing.what());
                rules.computeIfAbsent(missing.why(), w -> new TreeSet<>()).add(rule.rule());
            }
        }
        lines.add("");
        lines.add(
                style.word("unknown", "unknown")
                        + ": "
                        + count(untold.size(), "check")
                        + " could not be told");
        rules.entrySet().stream()
                .sorted((a, b) -> b.getValue().size() - a.getValue().size())
                .limit(REASONS_SHOWN)
                .forEach(e -> reason(e.getKey(), whats.get(e.getKey()), e.getValue().size()));
        if (rules.size() > REASONS_SHOWN) {
            lines.add("      … and " + count(rules.size() - REASONS_SHOWN, "further reason"));
        }
    }

    private void reason(String why, Set<String> whats, int rules) {
        String facts = String.join(", ", whats);
        String text = SafeText.line(why) + " (" + count(rules, "check") + ": " + facts + ")";
        lines.addAll(wrap.hanging("      ", 8, text));
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
            lines.add(style.dim("Record: " + run.folder()));
        }
    }

    static String count(int n, String thing) {
        return n + " " + thing + (n == 1 ? "" : "s");
    }

    static long count(List<Verdict> verdicts, Verdict.Level level) {
        return verdicts.stream().filter(v -> v.level() == level).count();
    }
}
