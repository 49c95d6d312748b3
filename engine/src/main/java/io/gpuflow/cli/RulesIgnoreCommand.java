package io.gpuflow.cli;

import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.site.SiteEdit;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a rule silent in site.yaml. */
@Command(
        name = "ignore",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a rule silent in site.yaml.",
            "The file keeps its comments and order. For some machines alone, write an exception there (except:)."
        },
        footer = {"", "Exit code: 0 done; 2 no such rule, or wrong usage."})
final class RulesIgnoreCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ID", description = "id of a rule")
    private String id;

    @Option(
            names = "--because",
            required = true,
            paramLabel = "TEXT",
            description = "why, for whoever reads it next year")
    private String because;

    @Option(names = "--until", paramLabel = "DAY", description = "last day: 2027-01-31")
    private String until;

    @Mixin private SiteOptions site;

    @Override
    public Integer call() throws IOException {
        try {
            SiteRules rules = site.loadOrNew();
            if (rules == null) {
                return ExitCode.USAGE;
            }
            RuleCard card = RulesSetCommand.card(rules, id);
            SiteFile file = SiteFile.open(site);
            file.edit().ignore(card.id(), because, SiteFile.day(until));
            file.write();
            file.diff().forEach(System.out::println);
            System.out.println("in " + file.path());
            return ExitCode.OK;
        } catch (Refused e) {
            return e.told("rules ignore");
        } catch (SiteEdit.Impossible e) {
            System.err.println("gpuflow rules ignore: " + e.getMessage());
            return ExitCode.USAGE;
        }
    }
}
