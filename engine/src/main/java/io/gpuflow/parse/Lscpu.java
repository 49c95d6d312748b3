package io.gpuflow.parse;

import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads {@code lscpu} in the C locale; indentation differs by version. */
public final class Lscpu implements Parser<Lscpu.Reading> {
    /**
     * The processors of the machine.
     *
     * @param cpus logical CPUs
     * @param numaNodeCpus CPU list of each NUMA node, by node number
     * @param hypervisor vendor of the hypervisor (KVM, Microsoft …), null on bare metal
     */
    public record Reading(
            String architecture,
            String model,
            Integer cpus,
            Integer threadsPerCore,
            Integer coresPerSocket,
            Integer sockets,
            Integer numaNodes,
            Map<String, String> numaNodeCpus,
            String hypervisor,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            if (cpus == null) {
                return List.of();
            }
            Host host = new Host(null, null, null, null, threadsPerCore, numaNodes, null);
            return List.of(new Observed(host, Source.of(sourceName)));
        }
    }

    @Override
    public String kind() {
        return "lscpu";
    }

    @Override
    public int recognises(String head) {
        boolean ours = head.contains("Architecture:") && head.contains("CPU(s):");
        return ours ? 95 : 0;
    }

    @Override
    public Reading parse(String text) {
        Map<String, String> fields = new TreeMap<>();
        Map<String, String> nodes = new TreeMap<>();
        List<String> unparsed = new ArrayList<>();
        Lines.of(text).stream()
                .forEach(
                        line -> {
                            int colon = line.indexOf(':');
                            if (colon <= 0) {
                                if (!line.isBlank()) {
                                    unparsed.add(line);
                                }
                                return;
                            }
                            String name = line.substring(0, colon).trim();
                            String value = line.substring(colon + 1).trim();
                            if (name.matches("NUMA node\\d{1,4} CPU\\(s\\)")) {
                                nodes.put(name.replaceAll("\\D", ""), value);
                            } else {
                                fields.putIfAbsent(name, value);
                            }
                        });
        Integer cpus = Quantity.whole(fields.get("CPU(s)"));
        return new Reading(
                fields.get("Architecture"),
                fields.get("Model name"),
                cpus,
                Quantity.whole(fields.get("Thread(s) per core")),
                Quantity.whole(fields.get("Core(s) per socket")),
                Quantity.whole(fields.get("Socket(s)")),
                Quantity.whole(fields.get("NUMA node(s)")),
                nodes,
                fields.get("Hypervisor vendor"),
                cpus == null ? "no CPU(s) line" : null,
                unparsed);
    }
}
