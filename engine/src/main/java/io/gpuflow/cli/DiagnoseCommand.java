package io.gpuflow.cli;

import io.gpuflow.flow.Diagnosis;
import io.gpuflow.flow.RedactedDiagnosis;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.SiteLines;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.RasClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Names the cause of a hang or failure from logs, dumps and records. */
final class DiagnoseCommand implements Callable<Integer>, DescribedInCode {
    private final PositionalParamSpec paths =
            PositionalParamSpec.builder()
                    .paramLabel("PATH")
                    .arity("0..*")
                    .type(List.class)
                    .auxiliaryTypes(Path.class)
                    .description(
                            "logs, folders, archives, dumps, runs, bundles; - is standard input")
                    .build();

    private final OptionSpec ras =
            OptionSpec.builder("--ras")
                    .paramLabel("HOST:PORT")
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .description(
                            "ask a running job, where NCCL's RAS answers (NCCL_RAS_ADDR; by default"
                                    + " localhost:28028 on each node)")
                    .build();

    private final OptionSpec json = flag("--json", "print one JSON object").build();
    private final OptionSpec explain =
            flag("--explain", "show the facts that prove each finding").build();
    private final OptionSpec timeline =
            flag("--timeline", "show who said what when, a row a rank").build();
    private final OptionSpec redact =
            flag("--redact", "replace hosts, addresses, users and paths by stable names").build();
    private final OptionSpec site =
            OptionSpec.builder("--site")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description(SiteOptions.SITE_HELP)
                    .build();
    private final OptionSpec noSite = flag("--no-site", SiteOptions.NO_SITE_HELP).build();
    private final OptionSpec unjudged =
            flag("--facts", "print what was found, unjudged").hidden(true).build();

    private static OptionSpec.Builder flag(String name, String description) {
        return OptionSpec.builder(name).type(boolean.class).description(description);
    }

    private static boolean on(OptionSpec flag) {
        return Boolean.TRUE.equals(flag.getValue());
    }

    @Override
    public CommandSpec spec() {
        return DescribedInCode.of(
                        this,
                        "diagnose",
                        "Names the cause of a hang or failure from logs, dumps and records.",
                        "Exit code: 0 no fault; 1 a cause was found; 2 wrong usage; 3 something"
                                + " failed and what is there does not say why.")
                .addPositional(paths)
                .addOption(ras)
                .addOption(json)
                .addOption(explain)
                .addOption(timeline)
                .addOption(redact)
                .addOption(site)
                .addOption(noSite)
                .addOption(unjudged);
    }

    @Override
    public Integer call() throws IOException {
        List<Path> given = paths.getValue() == null ? List.of() : paths.getValue();
        List<String> asked = ras.getValue() == null ? List.of() : ras.getValue();
        if (given.isEmpty() && asked.isEmpty()) {
            System.err.println("gpuflow diagnose: name logs, dumps or folders, or --ras HOST:PORT");
            return ExitCode.USAGE;
        }
        for (String address : asked) {
            if (!RasClient.isAddress(address)) {
                System.err.println(
                        "gpuflow diagnose: --ras "
                                + address
                                + ": HOST:PORT is wanted, such as localhost:28028");
                return ExitCode.USAGE;
            }
        }
        if (given.stream().anyMatch(p -> p.toString().isEmpty())) {
            System.err.println("gpuflow diagnose: an empty path: is the variable set?");
            return ExitCode.USAGE;
        }
        if (asked.isEmpty()
                && given.stream().noneMatch(p -> p.toString().equals("-") || Files.exists(p))) {
            given.forEach(p -> System.err.println("gpuflow diagnose: " + p + ": does not exist"));
            return ExitCode.USAGE;
        }
        SiteInForce inForce = SiteOptions.of(site.getValue(), on(noSite)).open(given);
        if (inForce == null) {
            return ExitCode.USAGE;
        }
        List<Diagnosis> jobs =
                Diagnosis.all(
                        given, asked, inForce::signatures, ShippedRules.soon(inForce.policy()));
        if (on(unjudged)) {
            for (Diagnosis job : jobs) {
                job.facts().forEach(o -> System.out.println(o.source() + "  " + o.fact()));
            }
        }
        if (on(redact)) {
            jobs = RedactedDiagnosis.of(jobs);
        }
        if (on(json)) {
            JsonPrinter.print(DiagnosisViews.json(jobs, on(timeline), on(redact)), System.out);
        } else {
            Terminal terminal = Terminal.ofOutput(System.getenv());
            DiagnosisViews.lines(jobs, terminal, on(explain), on(timeline), on(redact))
                    .forEach(System.out::println);
            new SiteLines(terminal).lines(jobs.get(0).site()).forEach(System.out::println);
        }
        return switch (Diagnosis.worst(jobs)) {
            case FAULT -> ExitCode.FOUND;
            case HEALTHY -> ExitCode.OK;
            case UNKNOWN -> ExitCode.UNTOLD;
        };
    }
}
