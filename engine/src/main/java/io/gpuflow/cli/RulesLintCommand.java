package io.gpuflow.cli;

import io.gpuflow.facts.Judgement;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.build.DrlErrors;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.Conflicts;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.folder.RuleLint;
import io.gpuflow.rules.folder.RuleSetLint;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.SignatureFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells every problem in the files of rules. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description = {
            "Tells every problem in the rule files.",
            "With file, line and rule: what does not compile or is misspelt, conclusions that act or that deny themselves, rules that always speak together, and advice that contradicts other advice in one of the cases."
        },
        footer = {"", "Exit code: 0 no problems; 2 there are, or there is no such rule."})
final class RulesLintCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "GLOB",
            arity = "0..*",
            description = "ids, or area/id, with * and ?; all rules by default")
    private List<String> globs;

    @Option(
            names = "--rules",
            paramLabel = "DIR",
            description =
                    "folder of rules, AREA/ID/ below it; by default gpuflow's own and the site's")
    private Path rules;

    @Mixin private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        Problems problems = new Problems();
        Set<String> ids = new TreeSet<>(RuleFiles.names(rules));
        List<RuleFolder> all;
        LoadedRules loaded;
        if (rules != null) {
            all = RuleFiles.folders(rules, problems);
            loaded = ShippedRules.loaded();
        } else {
            SiteRules site = options.load(List.of());
            if (site == null) {
                return ExitCode.USAGE;
            }
            all = RuleSources.of(site, problems).all();
            loaded = ShippedRules.loaded(site.policy());
            for (Problem p : site.ownProblems().all()) {
                problems.at(p.at(), p.says(), p.next());
            }
        }
        ids.addAll(loaded.cards().keySet());
        List<RuleFolder> folders =
                all.stream().filter(f -> RuleGlobs.match(globs, f.area(), f.id())).toList();
        if (folders.isEmpty() && problems.isEmpty()) {
            return RuleGlobs.nothing("rules lint", globs, RuleFolder.names(all));
        }
        for (RuleFolder folder : folders) {
            RuleLint.check(folder, ids, RuleFiles.causes(), problems);
            folder.cases(problems);
        }
        RuleSetLint.check(all, problems);
        signatures(problems);
        Set<String> told = new TreeSet<>();
        problems.all().forEach(p -> told.add(p.at().file()));
        DrlErrors.tell(
                folders.stream().filter(f -> !told.contains(f.label() + "/rule.drl")).toList(),
                problems);
        if (problems.isEmpty()) {
            conflicts(folders, loaded, problems);
        }
        ProblemPrinter.print(problems, System.out);
        if (problems.isEmpty()) {
            System.out.println(folders.size() + " rules, no problems");
        }
        return problems.isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }

    /** Those of gpuflow; a site's own are read with its policy. */
    private void signatures(Problems problems) throws IOException {
        if (rules != null || globs != null) {
            return;
        }
        try {
            SignatureFiles.read(RuleFiles.signatures());
        } catch (IllegalArgumentException e) {
            for (String line : e.getMessage().lines().toList()) {
                String[] parts = line.split(": ", 2);
                problems.file("rules/signatures/" + parts[0], parts[parts.length - 1], "");
            }
        }
    }

    /** In each case in which a rule speaks, what it advises and what the others do must agree. */
    private static void conflicts(List<RuleFolder> folders, LoadedRules loaded, Problems problems)
            throws IOException {
        Map<String, RuleCard> cards = loaded.cards();
        CaseRunner runner = new CaseRunner(loaded, cards.keySet(), RuleFiles::sample);
        for (RuleFolder folder : folders) {
            if (!cards.containsKey(folder.id()) || !advises(folder.card())) {
                continue;
            }
            for (RuleCase c : folder.cases(problems)) {
                if (c.expect().outcome() != RuleCase.Outcome.FIRES || !RuleFiles.samplesHere(c)) {
                    continue;
                }
                Judgement judgement = runner.judged(c);
                for (Conflicts.Conflict conflict : Conflicts.in(judgement, cards)) {
                    if (conflict.rules().contains(folder.id())) {
                        problems.at(
                                c.place(),
                                "in the case \"" + c.name() + "\" rules disagree: " + conflict,
                                "let one follow the other, or tell their cases apart");
                    }
                }
            }
        }
    }

    private static boolean advises(RuleCard card) {
        return !card.claims().isEmpty()
                || !card.advises().isEmpty()
                || card.fixes().stream().anyMatch(f -> !f.env().isEmpty());
    }
}
