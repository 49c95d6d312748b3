package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.flow.Diagnosis;
import io.gpuflow.flow.RedactedDiagnosis;
import io.gpuflow.report.DiagnosisJson;
import io.gpuflow.report.DiagnosisText;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Terminal;
import io.gpuflow.report.TimelineText;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.scan.Unread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Names the cause of a hang or failure from logs, dumps and records. */
@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        description = "Names the cause of a hang or failure from logs, dumps and records.",
        footer = {
            "",
            "Exit code: 0 no fault; 1 a cause was found; 2 wrong usage; 3 something failed and what"
                    + " is there does not say why."
        })
final class DiagnoseCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "logs, folders, archives, dumps; - is standard input")
    private List<Path> paths;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Option(names = "--explain", description = "show the facts that prove each finding")
    private boolean explain;

    @Option(names = "--timeline", description = "show who said what when, a row a rank")
    private boolean timeline;

    @Option(
            names = "--redact",
            description = "replace hosts, addresses, users and paths by stable names")
    private boolean redact;

    @Option(names = "--facts", hidden = true, description = "print what was found, unjudged")
    private boolean facts;

    @Override
    public Integer call() throws IOException {
        if (paths.stream().noneMatch(p -> p.toString().equals("-") || Files.exists(p))) {
            paths.forEach(p -> System.err.println("gpuflow diagnose: " + p + ": does not exist"));
            return ExitCode.USAGE;
        }
        Diagnosis diagnosis = Diagnosis.of(paths, ShippedRules.soon());
        if (facts) {
            for (Observed o : diagnosis.facts()) {
                System.out.println(o.source() + "  " + o.fact());
            }
        }
        if (redact) {
            diagnosis = RedactedDiagnosis.of(diagnosis);
        }
        Map<String, String> unread = new LinkedHashMap<>();
        for (Unread u : diagnosis.unread()) {
            unread.put(u.file(), u.why());
        }
        String outcome = diagnosis.outcome().name().toLowerCase(Locale.ROOT);
        if (json) {
            JsonPrinter.print(
                    DiagnosisJson.of(outcome, diagnosis.note(), diagnosis.verdicts(), unread),
                    System.out);
        } else {
            Terminal terminal = Terminal.ofOutput(System.getenv());
            new DiagnosisText(terminal.style(), terminal.width(), explain)
                    .lines(outcome, diagnosis.note(), diagnosis.verdicts(), unread)
                    .forEach(System.out::println);
            if (timeline) {
                System.out.println();
                new TimelineText(diagnosis.facts()).lines().forEach(System.out::println);
            }
        }
        return switch (diagnosis.outcome()) {
            case FAULT -> ExitCode.FOUND;
            case HEALTHY -> ExitCode.OK;
            case UNKNOWN -> ExitCode.UNTOLD;
        };
    }
}
