package io.gpuflow.report;

import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Verdicts for a person: what is so in one line, beneath it the evidence and what to do. What
 * follows from another verdict is told under that one.
 */
public final class VerdictText {
    private static final int EVIDENCE_SHOWN = 3;
    private static final int INDENT = 6;

    /** What costs nothing is told by not telling a cost. */
    private static final String FREE = "none";

    private final Style style;
    private final Wrap wrap;
    private final Places places;

    public VerdictText(Style style, int width) {
        this(style, width, Places.HERE);
    }

    VerdictText(Style style, int width, Places places) {
        this.style = style;
        this.wrap = new Wrap(width);
        this.places = places;
    }

    /** All verdicts, in the given order. */
    public List<String> lines(List<Verdict> verdicts) {
        List<String> lines = new ArrayList<>();
        heads(verdicts).forEach(verdict -> add(verdict, verdicts, lines));
        return lines;
    }

    /** Those that are told for themselves, in the given order. */
    public static List<Verdict> heads(List<Verdict> verdicts) {
        return verdicts.stream().filter(v -> !hidden(v, verdicts)).toList();
    }

    private static boolean hidden(Verdict verdict, List<Verdict> all) {
        return verdict.under() != null
                && !verdict.under().equals(verdict.id())
                && all.stream().anyMatch(v -> v.id().equals(verdict.under()));
    }

    /** What follows from a verdict and is told beneath it. */
    static List<Verdict> beneath(Verdict head, List<Verdict> all) {
        return all.stream().filter(v -> v != head && head.id().equals(v.under())).toList();
    }

    private void add(Verdict verdict, List<Verdict> all, List<String> lines) {
        String level = level(verdict);
        String head = style.word(level, String.format("%-5s", level)) + " ";
        lines.addAll(wrap.hanging(head, INDENT, bold(verdict)));
        String evidence = evidence(verdict.evidence());
        if (!evidence.isEmpty()) {
            lines.addAll(beneath("seen in " + evidence));
        }
        for (Verdict.Fix fix : verdict.fixes()) {
            lines.addAll(beneath(fix(fix)));
        }
        for (Verdict follows : beneath(verdict, all)) {
            lines.addAll(beneath("so also: " + SafeText.line(follows.says())));
        }
    }

    private String bold(Verdict verdict) {
        String says = SafeText.line(verdict.says()) + " [" + verdict.id() + "]";
        return verdict.level() == Verdict.Level.INFO ? says : style.bold(says);
    }

    private List<String> beneath(String text) {
        return wrap.hanging(" ".repeat(INDENT), INDENT + 2, text);
    }

    private String evidence(List<Source> sources) {
        List<String> names =
                sources.stream().map(s -> SafeText.line(places.near(s))).distinct().toList();
        String shown = names.stream().limit(EVIDENCE_SHOWN).collect(Collectors.joining(", "));
        int more = names.size() - EVIDENCE_SHOWN;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }

    /** {@code workaround (user): text: NAME=1; cost: …}. */
    static String fix(Verdict.Fix fix) {
        StringBuilder text = new StringBuilder(fix.kind() == null ? "fix" : fix.kind());
        if (fix.who() != null) {
            text.append(" (").append(fix.who()).append(')');
        }
        text.append(": ").append(SafeText.line(fix.text() == null ? "" : fix.text()));
        String env = env(fix.env());
        if (!env.isEmpty() && !mentionsAll(fix)) {
            text.append(" [").append(env).append(']');
        }
        if (fix.cost() != null && !fix.cost().isBlank() && !fix.cost().strip().equals(FREE)) {
            if (text.charAt(text.length() - 1) == '.') {
                text.setLength(text.length() - 1);
            }
            text.append("; cost: ").append(SafeText.line(fix.cost()));
        }
        return text.toString();
    }

    /** The text names each variable with its value already, or for one to unset its name. */
    private static boolean mentionsAll(Verdict.Fix fix) {
        return fix.text() != null
                && fix.env().entrySet().stream()
                        .map(
                                e ->
                                        e.getValue() == null
                                                ? e.getKey()
                                                : e.getKey() + "=" + e.getValue())
                        .allMatch(fix.text()::contains);
    }

    /** {@code NAME=1 unset OTHER}. */
    static String env(Map<String, String> env) {
        return env == null
                ? ""
                : env.entrySet().stream()
                        .map(
                                e ->
                                        e.getValue() == null
                                                ? "unset " + e.getKey()
                                                : e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" "));
    }

    static String level(Verdict verdict) {
        return verdict.level().name().toLowerCase(Locale.ROOT);
    }
}
