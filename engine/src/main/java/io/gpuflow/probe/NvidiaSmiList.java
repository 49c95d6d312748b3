package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.GpuListParser;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code nvidia-smi -L}: the GPUs, where the longer query fails, and their MIG devices. */
final class NvidiaSmiList implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiList(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-list";
    }

    @Override
    public String vendor() {
        return "nvidia";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        ToolResult list = nvidiaSmi.list(tools);
        // A list that ends in an error still names the GPUs before it.
        boolean told =
                list.outcome() == ToolResult.Outcome.EXITED && list.stdout().contains("GPU ");
        if (!told) {
            return List.of();
        }
        Report report = new GpuListParser().parse(list.stdout());
        return report.facts("nvidia-smi -L").stream()
                .filter(o -> !(o.fact() instanceof Unknown))
                .toList();
    }
}
