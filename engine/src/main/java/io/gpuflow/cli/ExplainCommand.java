package io.gpuflow.cli;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.report.Terminal;
import io.gpuflow.report.VerdictText;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SitePolicy;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a rule means, or why it spoke in a run. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says what a rule means: its words, its remedies, its settings.",
            "With --run: what it found there, and every fact that proves it."
        },
        footer = {
            "",
            "Exit code: 0 explained; 1 the rule said nothing in that run; 2 no such rule or run."
        })
final class ExplainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "id of a rule; gpuflow rules list names them")
    private String id;

    @Option(
            names = "--run",
            paramLabel = "RUN",
            arity = "0..1",
            fallbackValue = RunNames.LAST,
            description = "a stored run; the last one when no name follows")
    private String run;

    @Option(names = "--source", description = "show the text of rule.drl, too")
    private boolean source;

    @Mixin private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        SiteRules site = options.load(List.of());
        if (site == null) {
            return ExitCode.USAGE;
        }
        LoadedRules rules = ShippedRules.loaded(site.policy());
        Map<String, RuleCard> cards = rules.cards();
        id = rules.policy().id(id) == null ? id : rules.policy().id(id);
        if (!cards.containsKey(id)) {
            System.err.println("gpuflow explain: " + RuleGlobs.noRule(id, cards));
            return ExitCode.USAGE;
        }
        Terminal terminal = Terminal.ofOutput(System.getenv());
        if (run == null) {
            RulePages.of(cards.get(id), rules.settings().getOrDefault(id, List.of()))
                    .lines(terminal)
                    .forEach(System.out::println);
            source(site, cards.get(id));
            return ExitCode.OK;
        }
        try {
            int exit = found(site, rules, terminal);
            source(site, cards.get(id));
            return exit;
        } catch (Refused e) {
            return e.told("explain");
        }
    }

    private void source(SiteRules site, RuleCard card) throws IOException {
        if (source && !site.checks().containsKey(id)) {
            Path folder = site.folders().get(id);
            String drl =
                    folder == null
                            ? RuleFiles.drl(card.area(), id)
                            : Files.readString(folder.resolve("rule.drl"));
            drl.lines().map(line -> "  | " + line).forEach(System.out::println);
        }
    }

    private int found(SiteRules site, LoadedRules rules, Terminal terminal)
            throws IOException, Refused {
        Map<String, String> places = places(site);
        Judgement judgement = rules.judge(RunFacts.of(RunNames.find(run)), Set.of());
        List<Verdict> verdicts =
                judgement.verdicts().stream().filter(v -> v.id().equals(id)).toList();
        if (verdicts.isEmpty()) {
            System.out.println(
                    id + " said nothing in that run; gpuflow why-not " + id + " says why");
            return ExitCode.FOUND;
        }
        VerdictText text = new VerdictText(terminal.style(), terminal.width());
        for (Verdict v : verdicts) {
            text.lines(List.of(v)).forEach(System.out::println);
            System.out.println("      because " + v.why().replaceAll("\\s+", " "));
            System.out.println("      it rests on:");
            v.proof().forEach(p -> System.out.println("        " + placed(p, places)));
            if (v.under() != null) {
                System.out.println("      it follows from " + v.under());
            }
        }
        return ExitCode.OK;
    }

    /** Where site.yaml sets each setting of the rule, and why. */
    private Map<String, String> places(SiteRules site) {
        Map<String, String> places = new HashMap<>();
        for (SitePolicy.Change change : site.site().set()) {
            if (id.equals(site.policy().id(change.rule().id()))) {
                change.to()
                        .keySet()
                        .forEach(
                                n ->
                                        places.put(
                                                "setting " + n.id() + " = ",
                                                n.at() + ": " + change.reason().because()));
            }
        }
        return places;
    }

    private static String placed(String proof, Map<String, String> places) {
        for (Map.Entry<String, String> place : places.entrySet()) {
            if (proof.startsWith(place.getKey())) {
                return proof.replaceFirst("  \\(.*\\)$", "") + "  (" + place.getValue() + ")";
            }
        }
        return proof;
    }
}
