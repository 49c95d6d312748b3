package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Ibstat;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code ibstat}: the adapters' own words, where /sys is hidden. */
final class IbstatProbe implements Probe {
    @Override
    public String name() {
        return "ibstat";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Nic.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        return Answer.of(tools, new Ibstat(), "ibstat").facts(brings());
    }
}
