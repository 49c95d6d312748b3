package io.gpuflow.cli;

import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunFolder;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.RunList;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.RunValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the stored runs. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        description = "Lists the stored runs, the oldest first.",
        footer = {"", "Exit code: 0 listed; 2 there is no such folder."})
final class RunsCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            description = "folder that holds runs; ./gpuflow-runs by default")
    private Path folder;

    @Option(names = "--json", description = "print a list with one object a run")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (folder != null && !Files.isDirectory(folder)) {
            System.err.println(
                    "gpuflow runs: "
                            + folder
                            + (Files.exists(folder) ? " is not a folder" : " does not exist")
                            + "; name the folder that holds runs, usually "
                            + RunFolder.RUNS);
            return ExitCode.USAGE;
        }
        List<RunReport> runs = new ArrayList<>();
        for (Path run : RunNames.all(folder == null ? Path.of(RunFolder.RUNS) : folder)) {
            try {
                Ledger ledger = RunNames.ledger(run);
                Integer exit = ledger.ended() == null ? null : ledger.ended().exit();
                runs.add(RunReports.of(ledger, run.toString(), exit));
            } catch (Refused e) {
                // The others are listed all the same.
                e.problems().forEach(p -> System.err.println("gpuflow runs: " + p));
            }
        }
        if (json) {
            JsonPrinter.print(runs.stream().map(RunsCommand::values).toList(), System.out);
        } else {
            RunList.lines(runs).forEach(System.out::println);
        }
        return ExitCode.OK;
    }

    /** What identifies a run; {@code report --format json} has the rest. */
    private static Map<String, Object> values(RunReport run) {
        Map<String, Object> all = RunValues.of(run);
        Map<String, Object> values = new LinkedHashMap<>();
        for (String key :
                List.of(
                        "run",
                        "workflow",
                        "machine",
                        "replay",
                        "started",
                        "seconds",
                        "exit",
                        "interrupted",
                        "headline")) {
            values.put(key, all.get(key));
        }
        return values;
    }
}
