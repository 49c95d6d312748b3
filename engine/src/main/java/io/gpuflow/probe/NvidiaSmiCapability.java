package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.NvidiaSmiCsv;
import io.gpuflow.tool.Tools;
import java.util.List;

/**
 * The compute capability, which {@code nvidia-smi -q} does not print. Drivers before 510 do not
 * know the question; the capability then stays open.
 */
final class NvidiaSmiCapability implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiCapability(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-capability";
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
        String query = "--query-gpu=index,compute_cap";
        return nvidiaSmi.ask(tools, new NvidiaSmiCsv(), query, "--format=csv").facts(brings());
    }
}
