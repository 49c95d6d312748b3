package io.gpuflow.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A verb whose options are described in code. Reading them from annotations takes 35 ms of a start
 * that should take 100: worth it for the verbs that people type and wait for.
 */
interface DescribedInCode {
    CommandSpec spec();

    /** A verb's specification with the options that every verb has. */
    static CommandSpec of(Object verb, String name, String description, String exitCodes) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(verb).name(name);
        spec.versionProvider(() -> new String[] {"gpuflow " + Version.text()});
        spec.usageMessage().description(description).footer("", exitCodes);
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build());
        spec.addOption(
                OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
        return spec;
    }
}
