package io.gpuflow.cli;

import io.gpuflow.rules.site.SitePlaces;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options by which a command is told which site policy holds. */
final class SiteOptions {
    @Option(
            names = "--site",
            paramLabel = "FILE",
            description =
                    "site policy; else $GPUFLOW_SITE, ./site.yaml, ~/.config/gpuflow/site.yaml,"
                            + " /etc/gpuflow/site.yaml: the first that is there")
    private Path site;

    @Option(names = "--no-site", description = "judge by the shipped rules alone")
    private boolean noSite;

    /** The file in force, or null for none. */
    Path file() {
        return noSite ? null : SitePlaces.find(site, System.getenv(), Path.of(""));
    }
}
