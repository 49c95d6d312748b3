package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Topology;
import io.gpuflow.parse.AmdTopologyParser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How AMD GPUs are linked: JSON of amd-smi, else its text, else rocm-smi. */
final class AmdTopologyProbe implements Probe {
    private static final List<String[]> WAYS =
            List.of(
                    new String[] {"amd-smi", "topology", "--json"},
                    new String[] {"amd-smi", "topology"},
                    new String[] {"rocm-smi", "--showtopo", "--json"},
                    new String[] {"rocm-smi", "--showtopo"});

    @Override
    public String name() {
        return "amd-topology";
    }

    @Override
    public String vendor() {
        return "amd";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Topology.class, GpuPair.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> unknown = new ArrayList<>();
        Set<String> missing = new HashSet<>();
        for (String[] way : WAYS) {
            if (missing.contains(way[0])) {
                continue;
            }
            ToolCall call = AmdSmiProbe.call(way);
            ToolResult result = tools.run(call);
            if (result.outcome() != ToolResult.Outcome.EXITED) {
                missing.add(way[0]);
            }
            Answer<? extends Report> answer =
                    Answer.of(result, new AmdTopologyParser(), String.join(" ", way));
            List<Observed> facts = answer.facts(brings());
            if (facts.stream().anyMatch(o -> o.fact() instanceof Topology)) {
                return facts;
            }
            unknown.addAll(facts);
        }
        return unknown;
    }
}
