package io.gpuflow.parse;

import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code ibv_devinfo}, which opens each adapter through the verbs library. */
public final class IbvDevinfo implements Parser<IbvDevinfo.Reading> {
    // hca_id:	mlx5_0      and      		state:			PORT_ACTIVE (4)
    private static final Pattern FIELD = Pattern.compile("\\s*([a-z_]+):\\s*(.*?)\\s*");

    /**
     * A port that user space could open.
     *
     * @param transport InfiniBand or iWARP
     * @param state PORT_ACTIVE, PORT_DOWN, PORT_INIT …, without the number
     * @param linkLayer InfiniBand or Ethernet
     */
    public record Port(
            String adapter,
            int port,
            String transport,
            String firmware,
            String state,
            String activeMtu,
            String linkLayer) {}

    /** All ports, in the tool's order. */
    public record Reading(List<Port> ports, String error, List<String> unparsed) implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Source source = Source.of(sourceName);
            return ports.stream().map(p -> new Observed(nic(p), source)).toList();
        }

        private Nic nic(Port p) {
            boolean several = ports.stream().filter(o -> o.adapter.equals(p.adapter)).count() > 1;
            String name = several ? p.adapter + ":" + p.port : p.adapter;
            return new Nic(name, "rdma", Nics.state(p.state), null, null, p.linkLayer, p.firmware);
        }
    }

    @Override
    public String kind() {
        return "ibv-devinfo";
    }

    @Override
    public int recognises(String head) {
        boolean listing = head.contains("hca_id:") && head.contains("node_guid:");
        return listing ? 95 : head.contains("No IB devices found") ? 80 : 0;
    }

    @Override
    public Reading parse(String text) {
        Reader reader = new Reader();
        Lines.of(text).stream().forEach(reader::line);
        reader.endPort();
        String error = reader.error;
        if (error == null && reader.ports.isEmpty()) {
            error = "no adapter listed";
        }
        return new Reading(reader.ports, error, reader.unparsed);
    }

    private static final class Reader {
        final List<Port> ports = new ArrayList<>();
        final List<String> unparsed = new ArrayList<>();
        String error;
        private String adapter;
        private String transport;
        private String firmware;
        private Port port;

        void line(String line) {
            Matcher m = FIELD.matcher(line);
            if (line.isBlank()) {
                return;
            }
            if (line.contains("No IB devices found")
                    || line.contains("Failed to get IB devices")
                    || line.contains("Failed to open device")) {
                error = line.trim();
            } else if (m.matches()) {
                field(m.group(1), m.group(2));
            } else {
                unparsed.add(line);
            }
        }

        private void field(String name, String value) {
            switch (name) {
                case "hca_id" -> {
                    endPort();
                    adapter = value;
                    transport = null;
                    firmware = null;
                }
                case "transport" -> transport = bare(value);
                case "fw_ver" -> firmware = value;
                case "port" -> {
                    endPort();
                    Integer number = Quantity.whole(value);
                    if (adapter != null && number != null) {
                        port = new Port(adapter, number, transport, firmware, null, null, null);
                    }
                }
                default -> port = port == null ? null : with(port, name, value);
            }
        }

        void endPort() {
            if (port != null) {
                ports.add(port);
            }
            port = null;
        }

        private static Port with(Port p, String name, String value) {
            String state = name.equals("state") ? bare(value) : p.state;
            String mtu = name.equals("active_mtu") ? bare(value) : p.activeMtu;
            String layer = name.equals("link_layer") ? value : p.linkLayer;
            return new Port(p.adapter, p.port, p.transport, p.firmware, state, mtu, layer);
        }

        /** "PORT_ACTIVE (4)" without the number. */
        private static String bare(String value) {
            int paren = value.indexOf(" (");
            return paren < 0 ? value : value.substring(0, paren);
        }
    }
}
