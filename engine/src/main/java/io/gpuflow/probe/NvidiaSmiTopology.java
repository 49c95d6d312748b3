package io.gpuflow.probe;

import io.gpuflow.facts.CpuAffinity;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.GpuNicPath;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Topology;
import io.gpuflow.parse.TopoMatrixParser;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code nvidia-smi topo -m}: how GPUs and adapters are linked. */
final class NvidiaSmiTopology implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiTopology(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-topology";
    }

    @Override
    public String vendor() {
        return "nvidia";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Topology.class, GpuPair.class, GpuNicPath.class, CpuAffinity.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        return nvidiaSmi.ask(tools, new TopoMatrixParser(), "topo", "-m").facts(brings());
    }
}
