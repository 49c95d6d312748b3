package io.gpuflow.cli;

import io.gpuflow.bundle.BundleFile;
import io.gpuflow.flow.Ledger;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Recap;
import io.gpuflow.report.RunHtml;
import io.gpuflow.report.RunJunit;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.RunValues;
import io.gpuflow.report.SafeText;
import io.gpuflow.report.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.xml.stream.XMLStreamException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the recap of a stored run again. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Prints the recap of a stored run again.",
        footer = {"", "Exit code: 0 it was printed; 2 there is no such run."})
final class ReportCommand implements Callable<Integer> {
    private enum Format {
        terminal,
        json,
        junit,
        html
    }

    @Parameters(
            paramLabel = "RUN",
            arity = "0..1",
            defaultValue = RunNames.LAST,
            description =
                    "folder of a run, its name or a part of it, or a bundle; the last one by"
                            + " default")
    private String run;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "terminal (default), json, junit or html")
    private Format format = Format.terminal;

    @Override
    public Integer call() throws IOException, XMLStreamException {
        try {
            BundleFile bundle = BundleFile.open(Path.of(run));
            Path folder = bundle == null ? RunNames.find(run) : Path.of(bundle.folder());
            Ledger ledger = bundle == null ? RunNames.ledger(folder) : RunNames.ledger(bundle);
            Integer exit = ledger.ended() == null ? null : ledger.ended().exit();
            print(RunReports.of(ledger, folder.toString(), exit));
            if (bundle != null) {
                bundle.problems()
                        .forEach(
                                u ->
                                        System.err.println(
                                                "gpuflow report: "
                                                        + SafeText.line(
                                                                u.file() + ": " + u.why())));
            }
            return ExitCode.OK;
        } catch (Refused e) {
            return e.told("report");
        }
    }

    private void print(RunReport report) throws IOException, XMLStreamException {
        switch (format) {
            case terminal ->
                    Recap.lines(report, Terminal.ofOutput(System.getenv()))
                            .forEach(System.out::println);
            case json -> JsonPrinter.print(RunValues.of(report), System.out);
            case junit -> RunJunit.print(report, System.out);
            case html -> System.out.print(RunHtml.of(report));
        }
        System.out.flush();
    }
}
