package io.gpuflow.parse;

import io.gpuflow.facts.CpuAffinity;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns the tables of AMD's tools into labels by GPU, a link class and facts. */
final class AmdTopologyReading {
    /** The driver gives an Infinity Fabric link the weight 15 for each hop. */
    private static final int WEIGHT_OF_HOP = 15;

    private final List<String> lines;
    private final AmdTables tables;
    private final String tool;
    private final String format;
    private final boolean whole;
    private final List<String> unparsed;
    private final List<Integer> gpus;
    private final List<Noted> notes = new ArrayList<>();

    AmdTopologyReading(
            List<String> lines,
            AmdTables tables,
            String tool,
            String format,
            boolean whole,
            List<String> unparsed) {
        this.lines = lines;
        this.tables = tables;
        this.tool = tool;
        this.format = format;
        this.whole = whole;
        this.unparsed = unparsed;
        this.gpus = tables.gpus();
    }

    AmdTopologyReport report() {
        String[][] links = new String[gpus.size()][gpus.size()];
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (int a = 0; a < gpus.size(); a++) {
            List<String> row = new ArrayList<>();
            for (int b = 0; b < gpus.size(); b++) {
                String label = a == b ? "X" : label(gpus.get(a), gpus.get(b));
                links[a][b] = label;
                row.add(label);
            }
            if (!row.contains(null) && (tables.has(AmdTables.LINK_TYPE) || gpus.size() == 1)) {
                rows.put("GPU" + gpus.get(a), row);
            }
        }
        Topology topology = LinkClassifier.classify(gpus, direct(links), null);
        if (!whole) {
            topology = new Topology(LinkClass.UNKNOWN, gpus.size(), List.of());
        }
        note(topology, links);
        boolean told = topology.linkClass() != LinkClass.UNKNOWN;
        return new AmdTopologyReport(
                tool,
                format,
                tables,
                rows.isEmpty() ? null : rows,
                topology.linkClass().label(),
                told ? topology.groups() : null,
                null,
                notes,
                unparsed);
    }

    private String label(int a, int b) {
        // rocm-smi's JSON names each pair once; a text that lacks half of a table is cut.
        boolean half = format.equals("json-rocm");
        String type =
                half
                        ? tables.eitherWay(AmdTables.LINK_TYPE, a, b)
                        : tables.cell(AmdTables.LINK_TYPE, a, b);
        if (type == null) {
            return null;
        }
        return switch (type) {
            case "XGMI" -> "XGMI";
            case "PCIE", "PCIe" -> "PCIE";
            default -> null;
        };
    }

    /** The labels, with pairs that are linked only by way of another GPU marked as such. */
    private String[][] direct(String[][] links) {
        String[][] direct = new String[links.length][links.length];
        for (int a = 0; a < links.length; a++) {
            for (int b = 0; b < links.length; b++) {
                boolean indirect = "XGMI".equals(links[a][b]) && hops(gpus.get(a), gpus.get(b)) > 1;
                direct[a][b] = indirect ? LinkClassifier.INDIRECT : links[a][b];
            }
        }
        return direct;
    }

    /** Infinity Fabric hops, by weight where it is printed; 0 when not known. */
    private int hops(int a, int b) {
        Long weight = Numbers.integer(tables.eitherWay(AmdTables.WEIGHT, a, b));
        if (weight != null && weight > 0 && weight % WEIGHT_OF_HOP == 0) {
            return (int) Math.min(weight / WEIGHT_OF_HOP, 64);
        }
        Long hops = Numbers.integer(tables.eitherWay(AmdTables.HOPS, a, b));
        return hops == null || hops < 0 || hops > 64 ? 0 : hops.intValue();
    }

    private void note(Topology topology, String[][] links) {
        int line = tables.lineOf(AmdTables.LINK_TYPE);
        if (topology.linkClass() == LinkClass.UNKNOWN) {
            String why =
                    tables.has(AmdTables.LINK_TYPE)
                            ? "the table of link types is cut or contradicts itself"
                            : "the link type between the GPUs was not printed";
            notes.add(Noted.at(new Unknown("Topology", why), line, lines));
        } else {
            notes.add(Noted.at(topology, line, lines));
        }
        for (int a = 0; a < gpus.size(); a++) {
            noteGpu(gpus.get(a));
            for (int b = 0; b < gpus.size(); b++) {
                notePair(gpus.get(a), gpus.get(b), links[a][b], line);
            }
        }
    }

    private void noteGpu(int gpu) {
        String bdf = tables.bdf(gpu);
        if (bdf != null) {
            notes.add(new Noted(new Gpu(gpu, "amd", null, null, bdf, null, null, null), 0, ""));
        }
        String nodes = tables.numaAffinities().get(gpu);
        if (nodes != null && Affinity.isValue(nodes) && !nodes.equals("N/A")) {
            notes.add(new Noted(new CpuAffinity(gpu, null, nodes), 0, ""));
        }
    }

    private void notePair(int a, int b, String link, int line) {
        if (a < b && link != null) {
            int hops = hops(a, b);
            GpuPair pair = new GpuPair(a, b, link, null, hops > 0 ? hops : null);
            notes.add(Noted.at(pair, line, lines));
        }
        String access = tables.cell(AmdTables.ACCESS, a, b);
        if (a != b && access != null) {
            String status =
                    switch (access) {
                        case "ENABLED", "True" -> "OK";
                        case "DISABLED", "False" -> "NS";
                        default -> "U";
                    };
            int row = tables.lineOf(AmdTables.ACCESS);
            notes.add(Noted.at(new P2pPair(a, b, "read", status), row, lines));
        }
    }
}
