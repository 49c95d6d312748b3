package io.gpuflow.cli;

import io.gpuflow.expr.Nearest;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.explain.WhyNot;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why a rule said nothing in a run. */
@Command(
        name = "why-not",
        mixinStandardHelpOptions = true,
        description = {
            "Says why a rule said nothing in a run: a fact it needs is missing, or the",
            "first of its conditions that nothing meets, with what comes nearest."
        },
        footer = {"", "Exit code: 0 told; 2 no such rule or run."})
final class WhyNotCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "id of a rule; gpuflow rules list names them")
    private String id;

    @Option(
            names = "--run",
            paramLabel = "RUN",
            description = "a stored run, the last one by default")
    private String run = RunNames.LAST;

    @Override
    public Integer call() throws IOException {
        LoadedRules rules = ShippedRules.loaded();
        RuleCard card = rules.cards().get(id);
        if (card == null) {
            String near = Nearest.hint(id, rules.cards().keySet());
            System.err.println("gpuflow why-not: no rule " + id + "; " + near);
            return ExitCode.USAGE;
        }
        try {
            String drl = RuleFiles.drl(card.area(), id);
            WhyNot.lines(rules, id, drl, RunFacts.of(RunNames.find(run)))
                    .forEach(System.out::println);
            return ExitCode.OK;
        } catch (Refused e) {
            e.problems().forEach(p -> System.err.println("gpuflow why-not: " + p));
            return e.exit();
        }
    }
}
