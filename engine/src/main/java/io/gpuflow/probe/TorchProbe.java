package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Torch;
import io.gpuflow.parse.TorchReport;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PyTorch, asked of the first Python that can import it: $GPUFLOW_PYTHON alone when it is set, else
 * the active virtual or Conda environment's, python3, /usr/bin/python3, python.
 */
final class TorchProbe implements Probe {
    /** Importing torch for the first time from a network disk takes the better part of a minute. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Override
    public String name() {
        return "torch";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Torch.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<String> reasons = new ArrayList<>();
        String script = script();
        for (String python : pythons(tools.environment())) {
            ToolCall call = ToolCall.of(LIMIT, python, "-c", script);
            Answer<TorchReport.Reading> answer =
                    Answer.of(tools, new TorchReport(), call, python + ", importing torch");
            if (answer.ok() && answer.report().torch() != null) {
                return answer.facts(brings());
            }
            reasons.add(answer.ok() ? python + ": " + problem(answer) : answer.why());
        }
        String why = "no Python imports torch (" + String.join("; ", reasons) + ")";
        String next = ". Next: name one that does with GPUFLOW_PYTHON=/path/to/python";
        return Answer.unknown(brings(), why + next, "torch");
    }

    private static String problem(Answer<TorchReport.Reading> answer) {
        String problem = answer.report().problem();
        return problem == null ? "told nothing" : problem;
    }

    private static Set<String> pythons(Map<String, String> environment) {
        String chosen = environment.get("GPUFLOW_PYTHON");
        if (chosen != null && !chosen.isBlank()) {
            return Set.of(chosen);
        }
        Set<String> pythons = new LinkedHashSet<>();
        for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            String folder = environment.get(variable);
            if (folder != null && folder.startsWith("/")) {
                pythons.add(folder + "/bin/python");
            }
        }
        pythons.addAll(List.of("python3", "/usr/bin/python3", "python"));
        return pythons;
    }

    private static String script() {
        try (InputStream in = TorchProbe.class.getResourceAsStream("torch_report.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("torch_report.py is not in the program", e);
        }
    }
}
