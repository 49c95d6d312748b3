package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A run as one HTML file that needs nothing else: no script, no font, no network. */
public final class RunHtml {
    private static final String CSS =
            """
            body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
            color:#1b1b1b;background:#fff}
            h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
            table{border-collapse:collapse;width:100%}
            td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd}
            code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
            .state{font-weight:600;white-space:nowrap}
            .failed,.fail{color:#b00020}.warned,.warn,.unknown{color:#8a5a00}
            .passed,.reused,.confirmed{color:#0a6b2d}.broken,.interrupted{color:#7b1fa2}
            .banner{padding:.5rem 1rem;background:#fff3cd;border:1px solid #e0c060}
            section.finding{border-left:4px solid #ccc;padding-left:1rem;margin:1rem 0}
            section.fail{border-color:#b00020}section.warn{border-color:#c98a00}
            section p,section ul{color:#1b1b1b;margin:.3rem 0}
            section>p:first-child{font-weight:600}details{margin:.3rem 0}summary{cursor:pointer}
            @media(prefers-color-scheme:dark){body,section p,section ul{color:#e6e6e6;background:#161616}
            td,th{border-color:#444}.banner{background:#3a3000;border-color:#806a00}
            .failed,.fail{color:#ff7b89}.warned,.warn,.unknown{color:#f0c060}
            .passed,.reused,.confirmed{color:#6fd18f}.broken,.interrupted{color:#d9a0ec}}
            """;

    private final StringBuilder html = new StringBuilder();

    private final Places places;

    private RunHtml(Places places) {
        this.places = places;
    }

    public static String of(RunReport run) {
        RunHtml page = new RunHtml(Places.of(run));
        page.head(run);
        page.findings(run);
        page.steps(run.steps());
        page.unknown(run.untold());
        page.tail(run);
        return page.html.toString();
    }

    private void head(RunReport run) {
        String title = "gpuflow: " + run.workflow() + " on " + run.machine();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
        html.append("<title>").append(escape(title)).append("</title>\n");
        html.append("<style>\n").append(CSS).append("</style></head><body>\n");
        html.append("<h1>").append(escape(run.headline())).append("</h1>\n");
        if (run.replay()) {
            element("p", "banner", "This is a replay of " + run.machine() + ": nothing was run.");
        }
        if (run.next() != null) {
            element("p", null, "Next: " + run.next());
        }
        String started = run.started() == null ? "" : " on " + run.started();
        element(
                "p",
                null,
                run.workflow()
                        + (run.dryRun() ? " (dry run)" : "")
                        + started
                        + ", "
                        + Elapsed.of(run.seconds())
                        + ", "
                        + run.machine());
    }

    private void findings(RunReport run) {
        List<Verdict> heads = VerdictText.heads(run.verdicts());
        element("h2", null, heads.isEmpty() ? "No findings" : "Findings");
        heads.forEach(head -> finding(head, VerdictText.beneath(head, run.verdicts())));
        run.advice().forEach(advice -> element("p", null, Recap.notTried(advice)));
    }

    /** What it comes from first, as on a terminal; what follows from it is folded. */
    private void finding(Verdict verdict, List<Verdict> follows) {
        String level = VerdictText.level(verdict);
        html.append("<section class=\"finding ").append(level).append("\">");
        element("p", level, level + ": " + verdict.says() + " [" + verdict.id() + "]");
        html.append("<ul>\n");
        verdict.fixes().forEach(fix -> element("li", null, VerdictText.fix(fix)));
        html.append("</ul>\n");
        if (!follows.isEmpty()) {
            fold("so also: " + Recap.count(follows.size(), "consequence"));
            for (Verdict also : follows) {
                element("p", VerdictText.level(also), also.says() + " [" + also.id() + "]");
                evidence(also);
            }
            html.append("</details>\n");
        }
        boolean why = verdict.why() != null && !verdict.why().isBlank();
        if (why || !verdict.evidence().isEmpty()) {
            fold("why, and where it was seen");
            if (why) {
                element("p", null, verdict.why());
            }
            evidence(verdict);
            html.append("</details>\n");
        }
        html.append("</section>\n");
    }

    private void fold(String summary) {
        html.append("<details>");
        element("summary", null, summary);
    }

    private void evidence(Verdict verdict) {
        html.append("<ul>\n");
        for (Source source : verdict.evidence()) {
            html.append("<li>seen in <code>").append(escape(places.near(source)));
            if (source.excerpt() != null && !source.excerpt().isBlank()) {
                html.append("</code> <code>").append(escape(source.excerpt()));
            }
            html.append("</code></li>\n");
        }
        html.append("</ul>\n");
    }

    private void steps(List<RunReport.StepLine> steps) {
        element("h2", null, "Steps");
        html.append("<table><tr><th>state<th>step<th>time<th>why</tr>\n");
        Map<String, String> told = new HashMap<>();
        for (RunReport.StepLine step : steps) {
            html.append("<tr>");
            element("td", "state " + step.state().replaceAll("[^a-z]", "-"), step.state());
            element("td", null, step.id());
            element("td", null, step.seconds() > 0 ? Elapsed.of(step.seconds()) : "");
            html.append("<td>");
            html.append(
                    StepText.of(step, told).stream()
                            .map(RunHtml::escape)
                            .collect(Collectors.joining("<br>")));
            html.append("</td></tr>\n");
        }
        html.append("</table>\n");
    }

    private void unknown(List<Judgement.Untold> untold) {
        if (untold.isEmpty()) {
            return;
        }
        element("h2", null, Recap.count(untold.size(), "check") + " could not be told");
        html.append("<table><tr><th>because<th>checks</tr>\n");
        for (Missing missing : Missing.of(untold)) {
            html.append("<tr>");
            element("td", null, missing.line());
            element("td", null, String.join(", ", missing.rules()));
            html.append("</tr>\n");
        }
        html.append("</table>\n");
    }

    private void tail(RunReport run) {
        run.notes().forEach(note -> element("p", null, "Note: " + note));
        List<String> site = new SiteLines(Terminal.NONE).lines(run.site());
        if (!site.isEmpty()) {
            element("h2", null, "Site policy");
            element("pre", null, String.join("\n", site).strip());
        }
        if (run.folder() != null) {
            String above = places.inRecord() ? " (… above)" : "";
            element("p", null, "Record: " + run.folder() + above);
        }
        element("p", null, "gpuflow " + run.version());
        html.append("</body></html>\n");
    }

    private void element(String name, String cssClass, String text) {
        html.append('<').append(name);
        if (cssClass != null) {
            html.append(" class=\"").append(escape(cssClass)).append('"');
        }
        html.append('>').append(escape(text)).append("</").append(name).append(">\n");
    }

    private static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        SafeText.line(text)
                .codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '&' -> safe.append("&amp;");
                                case '<' -> safe.append("&lt;");
                                case '>' -> safe.append("&gt;");
                                case '"' -> safe.append("&quot;");
                                case '\'' -> safe.append("&#39;");
                                default -> safe.appendCodePoint(c);
                            }
                        });
        return safe.toString();
    }
}
