package io.gpuflow.report;

import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rule says of itself, for a person.
 *
 * @param level fail, warn, info or ignore
 * @param needs facts without which its silence means nothing
 * @param settings {@code name = value unit (min to max): help}
 */
public record RulePage(
        String id,
        String area,
        String level,
        String says,
        String why,
        List<Verdict.Fix> fixes,
        List<String> needs,
        String appliesTo,
        List<String> settings,
        List<String> advises,
        List<String> follows,
        String cause) {

    /** The page, wrapped to the terminal. */
    public List<String> lines(Terminal terminal) {
        Wrap wrap = new Wrap(terminal.width());
        List<String> lines = new ArrayList<>();
        String head = terminal.style().word(level, level) + " " + terminal.style().bold(id);
        lines.add(head + "  (area " + area + ")");
        lines.addAll(wrap.hanging("  says: ", 4, says));
        lines.addAll(wrap.hanging("  why:  ", 4, why.replaceAll("\\s+", " ")));
        for (Verdict.Fix fix : fixes) {
            lines.addAll(wrap.hanging("  ", 4, VerdictText.fix(fix)));
        }
        add(lines, wrap, "asks for the experiment", advises);
        add(lines, wrap, "needs", needs);
        if (!appliesTo.isEmpty()) {
            lines.addAll(wrap.hanging("  is about: ", 4, appliesTo));
        }
        settings.forEach(s -> lines.addAll(wrap.hanging("  setting ", 4, s)));
        add(lines, wrap, "is shown beneath, when they speak", follows);
        if (cause != null) {
            lines.add("  cause: " + cause);
        }
        return lines;
    }

    private static void add(List<String> lines, Wrap wrap, String what, List<String> names) {
        if (!names.isEmpty()) {
            lines.addAll(wrap.hanging("  " + what + ": ", 4, String.join(", ", names)));
        }
    }
}
