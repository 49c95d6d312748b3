package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Nics;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/** /sys/class/infiniband: every RDMA adapter the kernel knows, InfiniBand and RoCE. */
final class RdmaDevices implements Probe {
    private static final String DEVICES = "/sys/class/infiniband/*";

    @Override
    public String name() {
        return "rdma-devices";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(Nic.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        try {
            for (String device : tools.glob(DEVICES)) {
                List<String> ports = tools.glob(device + "/ports/*");
                for (String port : ports) {
                    facts.add(Answer.known(nic(tools, device, port, ports.size() > 1), port));
                }
            }
        } catch (Tools.NotKnown e) {
            return Answer.unknown(brings(), e.getMessage(), DEVICES);
        }
        facts.add(Answer.known(new Known("Nic"), DEVICES));
        return facts;
    }

    private static Nic nic(Tools tools, String device, String port, boolean several) {
        String name = device.substring(device.lastIndexOf('/') + 1);
        String number = port.substring(port.lastIndexOf('/') + 1);
        return new Nic(
                several ? name + ":" + number : name,
                "rdma",
                Nics.state(OneLine.of(tools, port + "/state")),
                rate(OneLine.of(tools, port + "/rate")),
                OneLine.numaNode(tools, device + "/device/numa_node"),
                OneLine.of(tools, port + "/link_layer"),
                OneLine.of(tools, device + "/fw_ver"));
    }

    /** "400 Gb/sec (4X NDR)" */
    private static Double rate(String text) {
        String number = text == null ? "" : text.split(" ", 2)[0];
        return number.matches("\\d{1,6}(\\.\\d{1,3})?") ? Double.valueOf(number) : null;
    }
}
