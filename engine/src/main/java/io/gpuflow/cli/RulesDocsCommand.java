package io.gpuflow.cli;

import io.gpuflow.facts.Setting;
import io.gpuflow.report.RuleMarkdown;
import io.gpuflow.report.RulePage;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes a page about each rule. */
@Command(
        name = "docs",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a page about each rule in force, in Markdown.",
            "From its rule.yaml and its cases: DIR/AREA/ID.md and an index, DIR/README.md."
        },
        footer = {
            "",
            "Exit code: 0 written; 2 the folder can't be written, or site.yaml has mistakes."
        })
final class RulesDocsCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            description = "folder for the pages; ./rule-pages by default")
    private Path folder = Path.of("rule-pages");

    @Mixin private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        SiteRules site = options.load(List.of());
        if (site == null) {
            return ExitCode.USAGE;
        }
        Map<String, List<RuleMarkdown.Case>> cases = cases(site);
        List<RulePage> pages = new ArrayList<>();
        try {
            for (RuleCard card : site.policy().cards().values()) {
                List<Setting> settings =
                        site.policy().settings().getOrDefault(card.id(), List.of());
                RulePage page = RulePages.of(card, settings);
                pages.add(page);
                Path file = folder.resolve(card.area()).resolve(card.id() + ".md");
                Files.createDirectories(file.getParent());
                Files.writeString(
                        file, RuleMarkdown.page(page, cases.getOrDefault(card.id(), List.of())));
            }
            Files.writeString(folder.resolve("README.md"), RuleMarkdown.index(pages));
        } catch (IOException e) {
            System.err.println(
                    "gpuflow rules docs: " + folder + " can't be written; name another folder");
            return ExitCode.USAGE;
        }
        System.out.println(pages.size() + " pages in " + folder);
        return ExitCode.OK;
    }

    private static Map<String, List<RuleMarkdown.Case>> cases(SiteRules site) throws IOException {
        Map<String, List<RuleMarkdown.Case>> cases = new TreeMap<>();
        Problems problems = new Problems();
        for (RuleFolder f : RuleSources.of(site, problems).all()) {
            cases.put(f.id(), f.cases(problems).stream().map(RulesDocsCommand::of).toList());
        }
        site.checks()
                .forEach(
                        (id, check) ->
                                cases.put(
                                        id,
                                        check.cases().stream().map(RulesDocsCommand::of).toList()));
        return cases;
    }

    private static RuleMarkdown.Case of(RuleCase c) {
        String words =
                switch (c.expect().outcome()) {
                    case FIRES -> "speaks";
                    case QUIET -> "is quiet";
                    case UNKNOWN -> "can't tell";
                };
        return new RuleMarkdown.Case(c.name(), words);
    }
}
