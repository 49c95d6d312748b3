package io.gpuflow.report;

import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A diagnosis for a tired person: the cause, the lines that show it, what to do; then, shortly,
 * what follows from it, what else was seen and what could not be read.
 */
public final class DiagnosisText {
    private static final int EVIDENCE_SHOWN = 4;
    private static final int EXCERPT = 160;

    /** Named one by one above a cause; its sentence has them as ranges. */
    private static final int MOST_RANKS = 64;

    private static final int UNREAD_SHOWN = 8;
    private static final int INDENT = 4;

    private final Style style;
    private final Wrap wrap;
    private final boolean explain;

    /**
     * @param explain show what proves each finding
     */
    public DiagnosisText(Style style, int width, boolean explain) {
        this.style = style;
        this.wrap = new Wrap(width);
        this.explain = explain;
    }

    /**
     * @param outcome fault, healthy or unknown
     * @param note why it is unknown, what a clean bill leaves open, or null
     */
    public List<String> lines(String outcome, String note, List<Verdict> verdicts) {
        List<String> lines = new ArrayList<>();
        List<Verdict> roots = verdicts.stream().filter(v -> v.role() == Verdict.Role.ROOT).toList();
        if (outcome.equals("healthy")) {
            String words = note == null ? "Nothing here tells of a failure." : note;
            lines.addAll(wrap.hanging(style.bold("No fault found. "), 0, SafeText.line(words)));
        } else if (roots.isEmpty()) {
            String why =
                    note == null ? "Something failed, and what is here does not say why." : note;
            lines.addAll(wrap.hanging(style.bold("The cause is open. "), 0, why));
        } else {
            whole(roots.get(0), lines);
        }
        for (Verdict v : verdicts) {
            if (roots.isEmpty() && !outcome.equals("healthy")) {
                lines.add("");
                whole(v, lines);
            } else if (roots.isEmpty() || v != roots.get(0)) {
                shortly(v, lines);
            }
        }
        return lines;
    }

    private void whole(Verdict v, List<String> lines) {
        String level = VerdictText.level(v);
        String cause = v.cause() == null ? v.id() : v.cause();
        lines.add(style.word(level, level) + "  " + style.bold(cause) + who(v));
        lines.addAll(beneath("", style.bold(capital(SafeText.line(v.says())))));
        lines.addAll(beneath("", SafeText.line(v.why())));
        Set<String> said = new HashSet<>();
        v.evidence().stream()
                .filter(s -> s.excerpt().isBlank() || said.add(s.excerpt()))
                .limit(EVIDENCE_SHOWN)
                .forEach(s -> lines.add(evidence(s)));
        v.fixes().forEach(f -> lines.addAll(beneath("> ", VerdictText.fix(f))));
        if (explain) {
            v.proof().forEach(p -> lines.addAll(beneath("because ", SafeText.line(p))));
        }
    }

    private void shortly(Verdict v, List<String> lines) {
        String role =
                switch (v.role()) {
                    case CONSEQUENCE -> "so also: ";
                    case INFO -> "note: ";
                    default -> "also seen: ";
                };
        lines.addAll(beneath(style.dim(role), SafeText.line(v.says())));
        if (explain) {
            v.evidence().stream().limit(1).forEach(s -> lines.add(evidence(s)));
        }
    }

    private static String who(Verdict v) {
        String ranks =
                v.ranks().isEmpty()
                        ? ""
                        : (v.ranks().size() == 1 ? "  rank " : "  ranks ") + list(v.ranks());
        return ranks
                + (v.hosts().isEmpty()
                        ? ""
                        : "  on " + SafeText.line(String.join(", ", v.hosts())));
    }

    private static String list(List<Integer> ranks) {
        String text = ranks.subList(0, Math.min(MOST_RANKS, ranks.size())).toString();
        String more = ranks.size() > MOST_RANKS ? ", … (" + ranks.size() + " ranks)" : "";
        return text.substring(1, text.length() - 1) + more;
    }

    private String evidence(Source source) {
        String text = SafeText.line(source.excerpt());
        String cut = text.length() <= EXCERPT ? text : text.substring(0, EXCERPT) + "…";
        String where = " ".repeat(INDENT) + style.dim(SafeText.line(source.toString()));
        return cut.isBlank() ? where : where + "  " + cut;
    }

    /** What could not be read, with the reasons. */
    public List<String> unread(Map<String, String> unread) {
        List<String> lines = new ArrayList<>();
        if (unread.isEmpty()) {
            return lines;
        }
        lines.add("");
        lines.add(style.dim("not read:"));
        unread.entrySet().stream()
                .limit(UNREAD_SHOWN)
                .forEach(
                        e ->
                                lines.addAll(
                                        beneath(
                                                "",
                                                SafeText.line(e.getKey() + ": " + e.getValue()))));
        if (unread.size() > UNREAD_SHOWN) {
            lines.add(" ".repeat(INDENT) + "and " + (unread.size() - UNREAD_SHOWN) + " more");
        }
        return lines;
    }

    private List<String> beneath(String head, String text) {
        return wrap.hanging(" ".repeat(INDENT) + head, INDENT + 2, text);
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
