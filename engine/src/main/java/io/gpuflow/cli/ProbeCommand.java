package io.gpuflow.cli;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Topology;
import io.gpuflow.probe.Survey;
import io.gpuflow.report.FactValues;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.MachineTable;
import io.gpuflow.report.ProgressLine;
import io.gpuflow.report.Terminal;
import io.gpuflow.tool.BadRecording;
import io.gpuflow.tool.RecordingTools;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Asks this machine, or a recording of one, everything and prints what is known and what is not.
 */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description = "Asks a machine what it is; changes nothing.",
        footer = {
            "",
            "Exit code: 0 the GPUs and their links are known; 2 wrong usage; 3 they are not, and the"
                    + " table says why."
        })
final class ProbeCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print every fact with its source")
    private boolean json;

    @Option(names = "--machine", paramLabel = "DIR", description = "ask a recording instead")
    private Path machine;

    @Option(names = "--record", paramLabel = "DIR", description = "record every answer")
    private Path record;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "these probes alone")
    private List<String> only;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Survey survey;
        try {
            survey = only == null ? new Survey() : Survey.of(only);
        } catch (IllegalArgumentException e) {
            return refuse(e.getMessage());
        }
        try (Machine asked = Machine.open(machine, record, List.of())) {
            int exit = ask(survey, asked.tools());
            boolean lost = asked.tools() instanceof RecordingTools r && r.trouble() != null;
            if (lost) {
                String trouble = ((RecordingTools) asked.tools()).trouble();
                System.err.println("gpuflow probe: the recording is incomplete: " + trouble);
            }
            return exit;
        } catch (BadRecording e) {
            return refuse(e.getMessage());
        } catch (Refused e) {
            return refuse(String.join("; ", e.problems()));
        }
    }

    private int ask(Survey survey, Tools tools) throws IOException, InterruptedException {
        Terminal terminal = Terminal.ofOutput(System.getenv());
        List<Observed> facts;
        try (ProgressLine progress = new ProgressLine(System.err, terminal)) {
            facts = survey.ask(tools, (stderr, text) -> progress.show(text));
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("gpuflow", 1);
            object.put("machine", tools.name());
            object.put("facts", facts.stream().map(FactValues::of).toList());
            JsonPrinter.print(object, System.out);
        } else {
            System.out.print(MachineTable.of(facts, terminal));
        }
        boolean known = has(facts, Gpu.class) && has(facts, Topology.class);
        return known || only != null ? ExitCode.OK : ExitCode.UNTOLD;
    }

    private static boolean has(List<Observed> facts, Class<? extends Fact> type) {
        return facts.stream().anyMatch(o -> type.isInstance(o.fact()));
    }

    private static int refuse(String why) {
        System.err.println("gpuflow probe: " + why);
        return ExitCode.USAGE;
    }
}
