package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.explain.WhyNot;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why a rule said nothing in a run. */
@Command(
        name = "why-not",
        mixinStandardHelpOptions = true,
        description =
                "Says why a rule said nothing in a run: a fact it needs is missing, or the first of its conditions that nothing meets, with what comes nearest.",
        footer = {"", "Exit code: 0 told; 2 no such rule or run."})
final class WhyNotCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "id of a rule; gpuflow rules list names them")
    private String id;

    @Option(
            names = "--run",
            paramLabel = "RUN",
            description = "a stored run, the last one by default")
    private String run = RunNames.LAST;

    @Option(names = "--source", description = "show the conditions as they stand in rule.drl")
    private boolean source;

    @Mixin private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        SiteRules site = options.load(List.of());
        if (site == null) {
            return ExitCode.USAGE;
        }
        LoadedRules rules = ShippedRules.loaded(site.policy());
        id = site.policy().id(id) == null ? id : site.policy().id(id);
        RuleCard card = rules.cards().get(id);
        if (card == null) {
            System.err.println("gpuflow why-not: " + RuleGlobs.noRule(id, rules.cards()));
            return ExitCode.USAGE;
        }
        try {
            lines(site, rules, card).forEach(System.out::println);
            return ExitCode.OK;
        } catch (Refused e) {
            return e.told("why-not");
        }
    }

    private List<String> lines(SiteRules site, LoadedRules rules, RuleCard card)
            throws IOException, Refused {
        List<Observed> facts = RunFacts.of(RunNames.find(run));
        Check check = site.checks().get(id);
        if (check != null) {
            return List.of(rules.because(check, facts));
        }
        Path folder = site.folders().get(id);
        String drl =
                folder == null
                        ? RuleFiles.drl(card.area(), id)
                        : Files.readString(folder.resolve("rule.drl"));
        return WhyNot.lines(rules, id, drl, facts, source);
    }
}
