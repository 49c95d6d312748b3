package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.parse.P2pParser;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code nvidia-smi topo -p2p}: whether the driver grants read, write, NVLink, atomic and PCIe peer
 * access between GPUs.
 */
final class NvidiaSmiPeers implements Probe {
    private final NvidiaSmi nvidiaSmi;

    NvidiaSmiPeers(NvidiaSmi nvidiaSmi) {
        this.nvidiaSmi = nvidiaSmi;
    }

    @Override
    public String name() {
        return "nvidia-smi-peers";
    }

    @Override
    public String vendor() {
        return "nvidia";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(P2pPair.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        for (String kind : List.of("r", "w", "n", "a", "p")) {
            facts.addAll(
                    nvidiaSmi.ask(tools, new P2pParser(), "topo", "-p2p", kind).facts(brings()));
        }
        return facts;
    }
}
