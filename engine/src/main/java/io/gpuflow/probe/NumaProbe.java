package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Numactl;
import io.gpuflow.tool.Tools;
import java.util.List;

/** The NUMA nodes, from {@code numactl -H} or else from /sys. */
final class NumaProbe implements Probe {
    private static final String NODES = "/sys/devices/system/node/node[0-9]*";

    @Override
    public String name() {
        return "numa";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        Answer<Numactl.Reading> answer = Answer.of(tools, new Numactl(), "numactl", "-H");
        if (answer.ok()) {
            return answer.facts(brings());
        }
        try {
            int nodes = tools.glob(NODES).size();
            if (nodes > 0) {
                Host host = new Host(null, null, null, null, null, nodes, null);
                return List.of(Answer.known(host, NODES));
            }
        } catch (Tools.NotKnown e) {
            // Neither source answered; numactl's reason is the one a user can act on.
        }
        return List.of(Answer.unknown("Host.numaNodes", answer.why(), answer.source()));
    }
}
