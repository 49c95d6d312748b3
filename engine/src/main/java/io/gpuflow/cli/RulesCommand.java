package io.gpuflow.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What a site's people do with rules. */
@Command(
        name = "rules",
        subcommands = {
            RulesListCommand.class,
            RulesNewCommand.class,
            RulesSetCommand.class,
            RulesIgnoreCommand.class,
            RulesLearnCommand.class,
            RulesTestCommand.class,
            RulesLintCommand.class,
            RulesDiffCommand.class,
            RulesDocsCommand.class
        },
        mixinStandardHelpOptions = true,
        description = "Lists, changes, tests and compares the rules that judge facts.",
        footer = {
            "",
            "Exit code: 0 all well; 1 a case failed, or policies differ; 2 a file is not valid, or"
                    + " wrong usage. gpuflow rules VERB --help tells more."
        })
final class RulesCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println(
                "gpuflow rules: say what to do: list, new, set, ignore, learn, test, lint, diff or"
                        + " docs");
        return ExitCode.USAGE;
    }
}
