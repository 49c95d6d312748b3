package io.gpuflow.rules.site;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.ExprException;
import io.gpuflow.expr.Template;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.Words;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.check.CheckReader;
import io.gpuflow.rules.site.SitePolicy.Expected;
import io.gpuflow.rules.site.SitePolicy.Figure;
import io.gpuflow.rules.site.SitePolicy.Named;
import io.gpuflow.yaml.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Makes checks of the figures that a site expects, one for each machine type and collective. */
final class Figures {
    private static final Pattern MACHINE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern COLLECTIVE = Pattern.compile("[a-z]+(_[a-z]+)*");

    private Figures() {}

    static List<Check> checks(Expected expected, List<String> follows, Problems problems) {
        Named machine = expected.machine();
        if (!MACHINE.matcher(machine.id()).matches()) {
            problems.at(machine.at(), machine.id() + " is no name", "write it as h200x8");
            return List.of();
        }
        List<Check> checks = new ArrayList<>();
        for (Map.Entry<Named, Figure> e : expected.figures().entrySet()) {
            Named op = e.getKey();
            if (!COLLECTIVE.matcher(op.id()).matches()) {
                problems.at(op.at(), op.id() + " is no collective", "write it as all_reduce");
            } else {
                checks.add(check(expected, op.id(), e.getValue(), follows));
            }
        }
        return checks;
    }

    private static Check check(Expected expected, String op, Figure figure, List<String> follows) {
        String id = "expected-" + expected.machine().id() + "-" + op.replace('_', '-');
        boolean warns = figure.warn() != null;
        double first = figure.target() * (1 - (warns ? figure.warn() : figure.fail()));
        String below = below(op, first);
        String all = "(" + expected.when().text() + ") && " + below;
        String worse = figure.fail() == null ? "false" : below(op, bound(figure));
        String says =
                op
                        + " reaches ${{ int(facts.bench.filter(b, b.op == \""
                        + op
                        + "\" && b.large_busbw_gbps < "
                        + first
                        + ").map(b, b.large_busbw_gbps)[0]) }} GB/s; a "
                        + expected.machine().id()
                        + " reaches "
                        + Words.number(figure.target());
        String why = "The site expects it: " + expected.reason().because();
        try {
            Expr when = Expr.parse(all);
            return new Check(
                    card(id, says, why, follows),
                    when,
                    Expr.parse(worse),
                    Template.parse(says),
                    Template.plain(why),
                    List.of(
                            new Check.FixWords(
                                    Template.plain(FIX.text()), Template.plain(FIX.cost()))),
                    CheckReader.reads(when),
                    List.of(),
                    figure.at());
        } catch (ExprException e) {
            throw new IllegalStateException("a figure's check can't be read: " + all, e);
        }
    }

    private static final Verdict.Fix FIX =
            new Verdict.Fix(
                    "test",
                    "admin",
                    "compare with a machine of the same type that is well: links, NICs, power and"
                            + " clocks, and what else runs",
                    Map.of(),
                    "one run on each");

    private static double bound(Figure figure) {
        return figure.target() * (1 - figure.fail());
    }

    private static String below(String op, double bound) {
        return String.format(
                Locale.ROOT,
                "facts.bench.exists(b, b.op == \"%s\" && b.large_busbw_gbps < %s)",
                op,
                Double.toString(bound));
    }

    private static RuleCard card(String id, String says, String why, List<String> follows) {
        return new RuleCard(
                id,
                "site_bench",
                "",
                Verdict.Level.WARN,
                Verdict.Role.CONTRIBUTING,
                null,
                1.0,
                List.of(),
                AppliesTo.ANY,
                says,
                why,
                List.of(FIX),
                List.of(),
                List.of(),
                List.of(),
                follows,
                Map.of(),
                RuleCard.Costs.SPEED,
                List.of(),
                List.of(),
                List.of());
    }
}
