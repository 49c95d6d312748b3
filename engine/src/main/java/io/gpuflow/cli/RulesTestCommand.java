package io.gpuflow.cli;

import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.report.RuleTests;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the cases of rules. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the cases of rules and says what differs.",
            "Of the site's own rules, too. A case expects what it names and no more: parts of the line, the reason, experiments, ranks. A finding must also change when any one fact that it rests on is taken away. Rules without a case that fires, a near miss or, when they need facts, an unknown one are told."
        },
        footer = {
            "",
            "Exit code: 0 all well; 1 a case failed or is missing; 2 a rule file is not valid, or no"
                    + " rule is named so."
        })
final class RulesTestCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "GLOB",
            arity = "0..*",
            description = "ids, or area/id, with * and ?; all rules by default")
    private List<String> globs;

    @Option(names = "--own", description = "only the site's own rules and checks")
    private boolean own;

    @Option(names = "--junit", paramLabel = "FILE", description = "write JUnit XML, too")
    private Path junit;

    @Mixin private SiteOptions options;

    private final Problems problems = new Problems();
    private final RuleTests tests = new RuleTests();
    private int rules;
    private int withoutSample;

    @Override
    public Integer call() throws IOException {
        SiteRules site = options.load(List.of());
        if (site == null) {
            return ExitCode.USAGE;
        }
        RuleSources sources = RuleSources.of(site, problems);
        for (Problem p : site.ownProblems().all()) {
            problems.at(p.at(), p.says(), p.next());
        }
        // Shipped rules are proven as they are shipped, whatever the site makes of them.
        if (!own) {
            LoadedRules shipped = ShippedRules.loaded();
            shipped.warm();
            folders(sources.shipped(), shipped);
        }
        LoadedRules here = ShippedRules.loaded(site.policy());
        folders(sources.own(), here);
        checks(site.checks().values(), here);
        if (rules == 0 && problems.isEmpty()) {
            return RuleGlobs.nothing("rules test", globs, site.policy().cards().keySet());
        }
        ProblemPrinter.print(problems, System.out);
        tests.lines().forEach(System.out::println);
        if (withoutSample > 0) {
            System.out.println(
                    withoutSample + " cases rest on samples that are not here and were not run");
        }
        if (junit != null) {
            try {
                tests.writeJunit(junit);
            } catch (IOException e) {
                System.err.println(
                        "gpuflow rules test: " + junit + " can't be written; name another file");
                return ExitCode.USAGE;
            }
        }
        return !problems.isEmpty() ? ExitCode.USAGE : tests.passed() ? ExitCode.OK : ExitCode.FOUND;
    }

    private void folders(List<RuleFolder> folders, LoadedRules loaded) throws IOException {
        CaseRunner runner = runner(loaded);
        for (RuleFolder folder : folders) {
            if (RuleGlobs.match(globs, folder.area(), folder.id())) {
                cases(
                        folder.id(),
                        folder.cases(problems),
                        !folder.card().needs().isEmpty(),
                        runner);
            }
        }
    }

    private void checks(Iterable<Check> checks, LoadedRules loaded) {
        CaseRunner runner = runner(loaded);
        for (Check check : checks) {
            if (RuleGlobs.match(globs, check.card().area(), check.id())) {
                cases(check.id(), check.cases(), !check.card().needs().isEmpty(), runner);
            }
        }
    }

    private static CaseRunner runner(LoadedRules loaded) {
        return new CaseRunner(loaded, loaded.cards().keySet(), RuleFiles::sample);
    }

    private void cases(String id, List<RuleCase> cases, boolean needs, CaseRunner runner) {
        rules++;
        Set<RuleCase.Outcome> covered = new TreeSet<>();
        for (RuleCase c : cases) {
            covered.add(c.expect().outcome());
            if (!RuleFiles.samplesHere(c)) {
                withoutSample++;
                continue;
            }
            List<String> differences;
            try {
                differences = runner.run(id, c).differences();
            } catch (IllegalStateException e) {
                differences = new ArrayList<>(List.of(String.valueOf(e.getMessage())));
            }
            tests.add(id, c.name(), c.at(), differences);
        }
        Set<RuleCase.Outcome> missing = new TreeSet<>(Set.of(RuleCase.Outcome.values()));
        missing.removeAll(covered);
        if (!needs) {
            missing.remove(RuleCase.Outcome.UNKNOWN); // nothing it needs could be missing
        }
        missing.forEach(m -> tests.uncovered(id, m.name().toLowerCase(Locale.ROOT)));
    }
}
