package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** /sys/class/net: the network interfaces that have a device of their own. */
final class Ethernet implements Probe {
    private static final String DEVICES = "/sys/class/net/*/device";

    /** ARPHRD_ETHER; others are InfiniBand (32), loopback, tunnels. */
    private static final String ETHERNET = "1";

    @Override
    public String name() {
        return "ethernet";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        try {
            for (String device : tools.glob(DEVICES)) {
                String folder = device.substring(0, device.lastIndexOf('/'));
                if (ETHERNET.equals(OneLine.of(tools, folder + "/type"))) {
                    facts.add(Answer.known(nic(tools, folder), folder));
                }
            }
        } catch (Tools.NotKnown e) {
            return List.of(Answer.unknown("Nic(ethernet)", e.getMessage(), DEVICES));
        }
        return facts;
    }

    private static Nic nic(Tools tools, String folder) {
        String state = OneLine.of(tools, folder + "/operstate");
        String speed = OneLine.of(tools, folder + "/speed");
        boolean told = speed != null && speed.matches("\\d{1,7}");
        return new Nic(
                folder.substring(folder.lastIndexOf('/') + 1),
                "ethernet",
                state == null ? null : state.toUpperCase(Locale.ROOT),
                told ? Integer.parseInt(speed) / 1000.0 : null,
                OneLine.numaNode(tools, folder + "/device/numa_node"),
                "Ethernet",
                null);
    }
}
