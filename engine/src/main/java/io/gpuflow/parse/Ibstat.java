package io.gpuflow.parse;

import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code ibstat}: one block an adapter, one inner block a port. */
public final class Ibstat implements Parser<Ibstat.Reading> {
    // CA 'mlx5_0'
    private static final Pattern ADAPTER = Pattern.compile("\\s*CA '([^']{1,64})'\\s*");
    // Port 1:
    private static final Pattern PORT = Pattern.compile("\\s*Port (\\d{1,3}):\\s*");
    // Firmware version: 28.39.1002
    private static final Pattern FIELD = Pattern.compile("\\s*([A-Z][A-Za-z ]+): ?(.*)");

    /**
     * A port of an adapter.
     *
     * @param state Active, Initializing, Armed or Down
     * @param physicalState LinkUp, Polling, Disabled …
     * @param rateGbps Gbit/s
     */
    public record Port(
            String adapter,
            int port,
            String firmware,
            String state,
            String physicalState,
            Double rateGbps,
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
            return new Nic(
                    name, "rdma", Nics.state(p.state), p.rateGbps, null, p.linkLayer, p.firmware);
        }
    }

    @Override
    public String kind() {
        return "ibstat";
    }

    @Override
    public int recognises(String head) {
        boolean adapter = head.contains("CA '") && head.contains("CA type:");
        return adapter ? 95 : head.startsWith("ibpanic:") ? 80 : 0;
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
        private String firmware;
        private Port port;

        void line(String line) {
            Matcher m;
            if (line.isBlank()) {
                return;
            }
            if (line.contains("ibpanic:") || line.contains("can't open UMAD port")) {
                error = line.trim();
            } else if ((m = ADAPTER.matcher(line)).matches()) {
                endPort();
                adapter = m.group(1);
                firmware = null;
            } else if (adapter != null && (m = PORT.matcher(line)).matches()) {
                endPort();
                int number = Integer.parseInt(m.group(1));
                port = new Port(adapter, number, firmware, null, null, null, null);
            } else if (adapter != null && (m = FIELD.matcher(line)).matches()) {
                field(m.group(1), m.group(2).trim());
            } else {
                unparsed.add(line);
            }
        }

        private void field(String name, String value) {
            if (name.equals("Firmware version")) {
                firmware = value;
            } else if (port != null) {
                port = with(port, name.toLowerCase(Locale.ROOT), value);
            }
        }

        void endPort() {
            if (port != null) {
                ports.add(port);
            }
            port = null;
        }

        private static Port with(Port p, String name, String value) {
            String state = name.equals("state") ? value : p.state;
            String physical = name.equals("physical state") ? value : p.physicalState;
            Double rate = name.equals("rate") ? Quantity.number(value) : p.rateGbps;
            String layer = name.equals("link layer") ? value : p.linkLayer;
            return new Port(p.adapter, p.port, p.firmware, state, physical, rate, layer);
        }
    }
}
