package io.gpuflow.report;

import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pages about rules in Markdown, one a rule and an index. */
public final class RuleMarkdown {
    /**
     * A case of a rule.
     *
     * @param expects fires, quiet or unknown
     */
    public record Case(String name, String expects) {}

    private RuleMarkdown() {}

    public static String page(RulePage page, List<Case> cases) {
        StringBuilder out = new StringBuilder();
        out.append("# ").append(page.id()).append("\n\n");
        out.append("**").append(text(page.says())).append("**\n\n");
        row(out, "Level", page.level());
        row(out, "Area", page.area());
        row(out, "Cause", page.cause());
        row(out, "Holds for", page.appliesTo());
        row(out, "Needs to know", String.join(", ", page.needs()));
        row(out, "Asks for experiments", String.join(", ", page.advises()));
        row(out, "Follows from", String.join(", ", page.follows()));
        out.append("\n## Why\n\n").append(text(page.why().replaceAll("\\s+", " "))).append('\n');
        if (!page.fixes().isEmpty()) {
            out.append("\n## What to do\n\n");
        }
        for (Verdict.Fix fix : page.fixes()) {
            out.append("- ").append(text(VerdictText.fix(fix))).append('\n');
        }
        if (!page.settings().isEmpty()) {
            out.append("\n## Settings\n\n");
        }
        page.settings().forEach(setting -> out.append("- ").append(text(setting)).append('\n'));
        if (!cases.isEmpty()) {
            out.append("\n## Cases\n\n| case | the rule |\n| --- | --- |\n");
        }
        for (Case c : cases) {
            out.append("| ").append(text(c.name()).replace("|", "\\|"));
            out.append(" | ").append(c.expects()).append(" |\n");
        }
        return out.toString();
    }

    /** All pages by area. */
    public static String index(List<RulePage> pages) {
        Map<String, List<RulePage>> areas = new TreeMap<>();
        pages.forEach(p -> areas.computeIfAbsent(p.area(), a -> new ArrayList<>()).add(p));
        StringBuilder out = new StringBuilder("# Rules\n");
        areas.forEach(
                (area, of) -> {
                    out.append("\n## ").append(area).append("\n\n| rule | level | says |\n");
                    out.append("| --- | --- | --- |\n");
                    for (RulePage p : of) {
                        out.append("| [").append(p.id()).append("](");
                        out.append(area).append('/').append(p.id()).append(".md) | ");
                        out.append(p.level()).append(" | ");
                        out.append(text(p.says()).replace("|", "\\|")).append(" |\n");
                    }
                });
        return out.toString();
    }

    private static void row(StringBuilder out, String name, String value) {
        if (value != null && !value.isBlank()) {
            out.append("- ").append(name).append(": ").append(text(value)).append('\n');
        }
    }

    /** What Markdown would take for its own is marked as text. */
    private static String text(String text) {
        return SafeText.line(text).replace("\\", "\\\\").replaceAll("([*_<>`\\[\\]])", "\\\\$1");
    }
}
