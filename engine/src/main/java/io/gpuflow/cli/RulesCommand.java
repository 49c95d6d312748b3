package io.gpuflow.cli;

import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.report.RuleTests;
import io.gpuflow.report.Style;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, tests and checks the rules. */
@Command(
        name = "rules",
        subcommands = {RulesLintCommand.class},
        mixinStandardHelpOptions = true,
        description = "Lists, tests and checks the rules that judge facts.",
        footer = {
            "",
            "Exit code: 0 all well; 1 a case failed; 2 a rule file is not valid, or wrong usage."
        })
final class RulesCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("gpuflow rules: say what to do: list, test or lint");
        return ExitCode.USAGE;
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the rules in force with their level.")
    int list(
            @Parameters(
                            paramLabel = "GLOB",
                            arity = "0..*",
                            description = "ids, or area/id, with * and ?")
                    List<String> globs,
            @Option(names = "--json", description = "print a list with one object a rule")
                    boolean json)
            throws IOException {
        List<RuleCard> cards =
                ShippedRules.cards().values().stream()
                        .filter(c -> RuleGlobs.match(globs, c.area(), c.id()))
                        .toList();
        if (cards.isEmpty()) {
            return RuleGlobs.nothing("rules", globs, ShippedRules.cards().keySet());
        }
        if (json) {
            JsonPrinter.print(cards.stream().map(RulesCommand::values).toList(), System.out);
            return ExitCode.OK;
        }
        Style style = Terminal.ofOutput(System.getenv()).style();
        for (RuleCard c : cards) {
            String level = RulePages.level(c);
            System.out.println(
                    style.word(level, String.format("%-6s", level))
                            + String.format(" %-14s ", c.area())
                            + c.id());
        }
        System.out.println(cards.size() + " rules; gpuflow explain ID says more");
        return ExitCode.OK;
    }

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Runs the cases of rules and says what differs from what they expect.")
    int test(
            @Parameters(
                            paramLabel = "GLOB",
                            arity = "0..*",
                            description = "ids, or area/id, with * and ?")
                    List<String> globs,
            @Option(names = "--junit", paramLabel = "FILE", description = "write JUnit XML, too")
                    Path junit)
            throws IOException {
        Problems problems = new Problems();
        List<RuleFolder> folders =
                RuleFiles.folders(problems).stream()
                        .filter(f -> RuleGlobs.match(globs, f.area(), f.id()))
                        .toList();
        if (folders.isEmpty() && problems.isEmpty()) {
            return RuleGlobs.nothing("rules", globs, ShippedRules.cards().keySet());
        }
        LoadedRules rules = ShippedRules.loaded();
        rules.warm();
        CaseRunner runner = new CaseRunner(rules, rules.cards().keySet(), RuleFiles::sample);
        RuleTests tests = new RuleTests();
        for (RuleFolder folder : folders) {
            Set<RuleCase.Outcome> covered = new TreeSet<>();
            for (RuleCase c : folder.cases(problems)) {
                covered.add(c.expect().outcome());
                CaseRunner.Result result = runner.run(folder.id(), c);
                tests.add(folder.id(), c.name(), c.at(), result.differences());
            }
            Set<RuleCase.Outcome> missing = new TreeSet<>(Set.of(RuleCase.Outcome.values()));
            missing.removeAll(covered);
            if (folder.card().needs().isEmpty()) {
                missing.remove(RuleCase.Outcome.UNKNOWN); // nothing it needs could be missing
            }
            missing.forEach(m -> tests.uncovered(folder.id(), m.name().toLowerCase(Locale.ROOT)));
        }
        ProblemPrinter.print(problems, System.out);
        tests.lines().forEach(System.out::println);
        if (junit != null) {
            tests.writeJunit(junit);
        }
        return !problems.isEmpty() ? ExitCode.USAGE : tests.passed() ? ExitCode.OK : ExitCode.FOUND;
    }

    private static Map<String, Object> values(RuleCard card) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", card.id());
        values.put("area", card.area());
        values.put("level", RulePages.level(card));
        values.put("cause", card.cause());
        values.put("says", card.says());
        values.put("advises", card.advises());
        values.put("since", card.since());
        return values;
    }
}
