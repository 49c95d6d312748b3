package io.gpuflow.cli;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.report.Terminal;
import io.gpuflow.report.VerdictText;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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

    @Mixin private SiteOptions site;

    @Override
    public Integer call() throws IOException {
        Supplier<Policy> policy = site.policy(List.of());
        if (policy == null) {
            return ExitCode.USAGE;
        }
        LoadedRules rules = ShippedRules.loaded(policy.get());
        Map<String, RuleCard> cards = rules.cards();
        id = rules.policy().id(id) == null ? id : rules.policy().id(id);
        if (!cards.containsKey(id)) {
            System.err.println(
                    "gpuflow explain: no rule " + id + "; " + Nearest.hint(id, cards.keySet()));
            return ExitCode.USAGE;
        }
        Terminal terminal = Terminal.ofOutput(System.getenv());
        if (run == null) {
            RulePages.of(cards.get(id)).lines(terminal).forEach(System.out::println);
            return ExitCode.OK;
        }
        try {
            return found(rules, terminal);
        } catch (Refused e) {
            e.problems().forEach(p -> System.err.println("gpuflow explain: " + p));
            return e.exit();
        }
    }

    private int found(LoadedRules rules, Terminal terminal) throws IOException, Refused {
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
            v.proof().forEach(p -> System.out.println("        " + p));
            if (v.under() != null) {
                System.out.println("      it follows from " + v.under());
            }
        }
        return ExitCode.OK;
    }
}
