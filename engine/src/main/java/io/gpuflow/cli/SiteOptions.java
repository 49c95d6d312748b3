package io.gpuflow.cli;

import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SitePlaces;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options by which a command is told which site policy holds. */
final class SiteOptions {
    static final String SITE_HELP =
            "site policy; by default $GPUFLOW_SITE, ./site.yaml,%n~/.config/gpuflow/site.yaml or"
                    + "%n/etc/gpuflow/site.yaml, the first that is there";
    static final String NO_SITE_HELP = "judge by the shipped rules alone";

    @Option(names = "--site", paramLabel = "FILE", description = SITE_HELP)
    private Path site;

    @Option(names = "--no-site", description = NO_SITE_HELP)
    private boolean noSite;

    /** For commands that describe their options in code. */
    static SiteOptions of(Path site, boolean noSite) {
        SiteOptions options = new SiteOptions();
        options.site = site;
        options.noSite = noSite;
        return options;
    }

    /**
     * The file in force, or null for none.
     *
     * @param evidence what is looked at: a site.yaml that lies there was not put there by the site
     */
    Path file(Collection<Path> evidence) {
        return noSite
                ? null
                : SitePlaces.find(
                        site,
                        System.getenv(),
                        Path.of(""),
                        evidence,
                        said -> System.err.println("gpuflow: " + said));
    }

    /** The file in force, or null for none. */
    Path file() {
        return file(List.of());
    }

    /**
     * What holds here; without a site policy the rules are read when they are asked for.
     *
     * @param evidence files and folders that are looked at: no code is loaded from below them
     * @return null when site.yaml has problems, which are printed: nothing may be judged then
     */
    SiteInForce open(Collection<Path> evidence) {
        if (file(evidence) == null) {
            return SiteInForce.none();
        }
        SiteRules rules = load(evidence);
        Problems problems = new Problems();
        SiteInForce site = rules == null ? null : SiteInForce.of(rules, problems);
        return site == null || refused(problems) ? null : site;
    }

    /** As {@link #load}, for a command that may make the file: one that is not there is empty. */
    SiteRules loadOrNew() {
        Path file = file();
        return file == null || Files.exists(file)
                ? load(List.of())
                : of(null, true).load(List.of());
    }

    /** The rules in force, like {@link #open}. */
    Supplier<Policy> policy(Collection<Path> evidence) {
        SiteInForce site = open(evidence);
        return site == null ? null : site.policy();
    }

    private static boolean refused(Problems problems) {
        if (problems.isEmpty()) {
            return false;
        }
        ProblemPrinter.print(problems, System.err);
        System.err.println("gpuflow: nothing is judged by a policy with mistakes; --no-site does");
        return true;
    }

    /**
     * The site's policy with all that it adds.
     *
     * @param evidence files and folders that are looked at: no code is loaded from below them
     * @return null when site.yaml has problems, which are printed: nothing may be judged then
     */
    SiteRules load(Collection<Path> evidence) {
        Problems problems = new Problems();
        SiteRules rules =
                SiteRules.load(
                        file(evidence),
                        ShippedRules.cards(),
                        SiteRules.Setup.of(System.getenv(), evidence),
                        problems);
        return refused(problems) ? null : rules;
    }
}
