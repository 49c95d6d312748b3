package io.gpuflow.probe;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.GpuProcess;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.parse.NvidiaSmiXml;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code nvidia-smi -q -x}: nearly everything that the driver says about each GPU. */
final class NvidiaSmiQuery implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiQuery(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-query";
    }

    @Override
    public String vendor() {
        return "nvidia";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(
                Gpu.class,
                Driver.class,
                GpuHealth.class,
                GpuMemoryErrors.class,
                GpuFabric.class,
                GpuMode.class,
                GpuProcess.class,
                Mig.class,
                PcieLink.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        return nvidiaSmi.ask(tools, new NvidiaSmiXml(), "-q", "-x").facts(brings());
    }
}
