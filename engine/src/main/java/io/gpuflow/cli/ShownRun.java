package io.gpuflow.cli;

import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunEvents;
import io.gpuflow.flow.RunSetup;
import io.gpuflow.flow.Runner;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Recap;
import io.gpuflow.report.RunDisplay;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.RunValues;
import io.gpuflow.report.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.Function;

/**
 * A run under the eyes of a person, from its first line to its recap.
 *
 * @param json print the result as one JSON document; the display then goes to standard error
 * @param failOn level of the findings that make it exit 1
 */
record ShownRun(boolean json, Verdict.Level failOn) {

    /**
     * Runs it.
     *
     * @param setup made for the display that is told of everything
     * @return exit code
     */
    int run(Function<RunEvents, RunSetup> setup, RunFolders folders, Machine tools)
            throws IOException {
        PrintStream out = json ? System.err : System.out;
        Terminal terminal = json ? Terminal.NONE : Terminal.ofOutput(System.getenv());
        if (tools.recording() != null) {
            out.println("replay of " + tools.tools().name() + ": nothing is run");
        }
        RunDisplay display = Displays.of(terminal, out);
        RunSetup made = setup.apply(new DisplayEvents(display));
        try (Runner runner = Runner.open(made, folders.folder())) {
            Interruption interruption = new Interruption(runner);
            try {
                Ledger ledger;
                try (display) {
                    ledger = runner.run();
                }
                int exit = RunExit.of(ledger, runner.interrupted(), failOn);
                runner.ended(runner.interrupted() ? null : exit);
                print(RunReports.of(ledger, folders.shown(), exit), terminal);
                if (tools.note() != null) {
                    System.err.println("gpuflow run: " + tools.note());
                }
                return exit;
            } finally {
                interruption.over();
            }
        }
    }

    private void print(RunReport report, Terminal terminal) throws IOException {
        if (json) {
            JsonPrinter.print(RunValues.of(report), System.out);
        } else {
            Recap.lines(report, terminal).forEach(System.out::println);
            System.out.flush();
        }
    }
}
