package io.gpuflow.parse;

import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code numactl -H}: the NUMA nodes, their CPUs, memory and distances. */
public final class Numactl implements Parser<Numactl.Reading> {
    // available: 2 nodes (0-1)
    private static final Pattern AVAILABLE = Pattern.compile("available: (\\d{1,5}) nodes? .*");
    // node 0 cpus: 0 1 2 3      node 0 size: 4699 MB      node 0 free: 3352 MB
    private static final Pattern NODE = Pattern.compile("node (\\d{1,5}) (cpus|size|free):(.*)");
    // node distances:     node   0   1      (heading of the matrix)
    private static final Pattern HEADING = Pattern.compile("node( distances:|(\\s+\\d{1,5})+\\s*)");
    //   0:  10  21
    private static final Pattern DISTANCES =
            Pattern.compile("\\s*(\\d{1,5}):((?:\\s+\\d{1,5})+)\\s*");

    /**
     * One node.
     *
     * @param cpus logical CPUs; empty for a node of memory alone (a GPU's, CXL)
     * @param distances to every node, in the order of the matrix's heading
     */
    public record Node(
            int node, List<Integer> cpus, Long sizeMb, Long freeMb, List<Integer> distances) {}

    /** All nodes by number. */
    public record Reading(Integer nodeCount, List<Node> nodes, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            if (nodeCount == null) {
                return List.of();
            }
            Host host = new Host(null, null, null, null, null, nodeCount, null);
            return List.of(new Observed(host, Source.of(sourceName)));
        }
    }

    @Override
    public String kind() {
        return "numactl";
    }

    @Override
    public int recognises(String head) {
        boolean nodes = head.lines().anyMatch(l -> AVAILABLE.matcher(l).matches());
        return nodes ? 95 : head.startsWith("No NUMA support available") ? 80 : 0;
    }

    @Override
    public Reading parse(String text) {
        Map<Integer, Node> nodes = new TreeMap<>();
        List<String> unparsed = new ArrayList<>();
        Integer count = null;
        for (String line : Lines.of(text)) {
            Matcher m;
            if ((m = AVAILABLE.matcher(line)).matches()) {
                count = Integer.valueOf(m.group(1));
            } else if ((m = NODE.matcher(line)).matches()) {
                int id = Integer.parseInt(m.group(1));
                nodes.put(id, with(nodes.get(id), id, m.group(2), m.group(3).trim()));
            } else if ((m = DISTANCES.matcher(line)).matches()) {
                int id = Integer.parseInt(m.group(1));
                nodes.put(id, with(nodes.get(id), id, "distances", m.group(2).trim()));
            } else if (!line.isBlank() && !HEADING.matcher(line).matches()) {
                unparsed.add(line);
            }
        }
        String error = count != null ? null : unparsed.isEmpty() ? "empty" : unparsed.get(0);
        return new Reading(count, List.copyOf(nodes.values()), error, unparsed);
    }

    private static Node with(Node old, int id, String field, String value) {
        Node n = old != null ? old : new Node(id, List.of(), null, null, List.of());
        return switch (field) {
            case "cpus" -> new Node(id, numbers(value), n.sizeMb, n.freeMb, n.distances);
            case "size" -> new Node(id, n.cpus, Quantity.count(value), n.freeMb, n.distances);
            case "free" -> new Node(id, n.cpus, n.sizeMb, Quantity.count(value), n.distances);
            default -> new Node(id, n.cpus, n.sizeMb, n.freeMb, numbers(value));
        };
    }

    private static List<Integer> numbers(String text) {
        return Stream.of(text.split("\\s+"))
                .filter(w -> w.matches("\\d{1,6}"))
                .map(Integer::valueOf)
                .toList();
    }
}
