package io.gpuflow.cli;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Setting;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Style;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SitePolicy;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the rules in force. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the rules in force with their level.",
            "And what the site changes of each, with its place in site.yaml."
        },
        footer = {"", "Exit code: 0 listed; 2 no rule is named so, or site.yaml has mistakes."})
final class RulesListCommand implements Callable<Integer> {
    @Parameters(paramLabel = "GLOB", arity = "0..*", description = "ids, or area/id, with * and ?")
    private List<String> globs;

    @Option(names = "--changed", description = "only those that the site changes or adds")
    private boolean changed;

    @Option(names = "--json", description = "print a list with one object a rule")
    private boolean json;

    @Mixin private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        SiteRules site = options.load(List.of());
        if (site == null) {
            return ExitCode.USAGE;
        }
        Policy policy = site.policy();
        List<RuleCard> cards =
                policy.cards().values().stream()
                        .filter(c -> RuleGlobs.match(globs, c.area(), c.id()))
                        .toList();
        if (cards.isEmpty()) {
            return RuleGlobs.nothing("rules list", globs, policy.cards().keySet());
        }
        Map<String, List<String>> changes = changes(site);
        List<RuleCard> shown =
                cards.stream().filter(c -> !changed || changes.containsKey(c.id())).toList();
        if (json) {
            JsonPrinter.print(
                    shown.stream().map(c -> values(c, changes.get(c.id()))).toList(), System.out);
            return ExitCode.OK;
        }
        Style style = Terminal.ofOutput(System.getenv()).style();
        for (RuleCard c : shown) {
            String level = RulePages.level(c);
            System.out.println(
                    style.word(level, String.format("%-6s", level))
                            + String.format(" %-14s ", c.area())
                            + c.id());
            changes.getOrDefault(c.id(), List.of())
                    .forEach(change -> System.out.println(" ".repeat(22) + change));
        }
        for (Judgement.Broken b : ShippedRules.loaded(policy).policy().broken()) {
            System.out.println("broken " + b.at() + ": " + b.why());
        }
        policy.notes().forEach(note -> System.out.println("note: " + note));
        System.out.println(
                changed && shown.isEmpty()
                        ? "the site changes no rule"
                        : shown.size()
                                + (shown.size() == 1 ? " rule" : " rules")
                                + "; gpuflow explain ID says more");
        return ExitCode.OK;
    }

    /** What the site makes of each rule, with the place in site.yaml. */
    private static Map<String, List<String>> changes(SiteRules site) {
        Map<String, RuleCard> shipped = ShippedRules.cards();
        Policy policy = site.policy();
        Map<String, List<String>> changes = new LinkedHashMap<>();
        for (RuleCard card : policy.cards().values()) {
            if (policy.isOwn(card.id())) {
                add(changes, card.id(), "the site's own");
            }
        }
        for (SitePolicy.Change change : site.site().set()) {
            String id = policy.id(change.rule().id());
            if (id == null) {
                continue;
            }
            List<String> words = new ArrayList<>();
            RuleCard card = policy.cards().get(id);
            for (Setting s : policy.settings().getOrDefault(id, List.of())) {
                boolean here = change.to().keySet().stream().anyMatch(n -> n.id().equals(s.name()));
                if (here) {
                    words.add(
                            s.name()
                                    + " = "
                                    + card.words(s)
                                    + was(card.words(card.setting(s.name()).asDefault(id))));
                }
            }
            if (change.level() != null) {
                RuleCard before = shipped.get(id);
                words.add(
                        "level "
                                + RulePages.level(card)
                                + (before == null ? "" : was(RulePages.level(before))));
            }
            add(changes, id, String.join(", ", words) + reason(change.reason()));
        }
        site.site()
                .ignore()
                .forEach(
                        i ->
                                add(
                                        changes,
                                        policy.id(i.rule().id()),
                                        "ignored" + reason(i.reason())));
        site.site()
                .except()
                .forEach(
                        e ->
                                add(
                                        changes,
                                        policy.id(e.rule().id()),
                                        "with an exception" + reason(e.reason())));
        return changes;
    }

    private static String was(String before) {
        return " (shipped: " + before + ")";
    }

    private static String reason(SitePolicy.Reason reason) {
        return "; "
                + reason.at()
                + ": "
                + reason.because()
                + (reason.until() == null ? "" : ", until " + reason.until());
    }

    private static void add(Map<String, List<String>> changes, String id, String change) {
        if (id != null) {
            changes.computeIfAbsent(id, k -> new ArrayList<>()).add(change);
        }
    }

    private static Map<String, Object> values(RuleCard card, List<String> changes) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", card.id());
        values.put("area", card.area());
        values.put("level", RulePages.level(card));
        values.put("cause", card.cause());
        values.put("says", card.says());
        values.put("advises", card.advises());
        values.put("since", card.since());
        values.put("changed", changes == null ? List.of() : changes);
        return values;
    }
}
