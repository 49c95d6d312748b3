package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.IbvDevinfo;
import io.gpuflow.tool.Tools;
import java.util.List;

/** {@code ibv_devinfo}: the adapters that a program of this user can open. */
final class IbvDevinfoProbe implements Probe {
    @Override
    public String name() {
        return "ibv-devinfo";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Nic.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        return Answer.of(tools, new IbvDevinfo(), "ibv_devinfo").facts(brings());
    }
}
