package io.gpuflow.parse;

import io.gpuflow.facts.CpuAffinity;
import io.gpuflow.facts.GpuNicPath;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.DeviceTable.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns the table of nvidia-smi topo -m into labels by GPU, a link class and facts. */
final class TopoMatrixReading {
    private final List<String> lines;
    private final DeviceTable table;
    private final List<String> gpus;
    private final List<String> nics;
    private final List<Noted> notes = new ArrayList<>();
    private final Map<String, List<String>> gpuLinks = new LinkedHashMap<>();
    private final Map<String, List<String>> nicLinks = new LinkedHashMap<>();
    private final String[][] matrix;
    private final boolean elided;
    private boolean complete = true;

    TopoMatrixReading(List<String> lines, DeviceTable table, List<String> gpus, List<String> nics) {
        this.lines = lines;
        this.table = table;
        this.gpus = gpus;
        this.nics = nics;
        this.matrix = new String[gpus.size()][gpus.size()];
        this.elided = hasElidedGpus(table.columns());
    }

    TopoMatrixReport report() {
        Map<String, String> legend = NicLegend.in(lines);
        for (int g = 0; g < gpus.size(); g++) {
            readRow(g, legend);
        }
        int nicRows = 0;
        for (String nic : nics) {
            nicRows += table.row(nic) != null ? 1 : 0;
        }
        complete &= nicRows == 0 || nicRows == nics.size();
        complete &= table.columns().size() == gpus.size() + nics.size();
        Map<String, String> cpus = column("CPU Affinity");
        Map<String, String> numa = column("NUMA Affinity");
        numa = numa == null ? writtenBehind() : numa;
        noteAffinity(cpus, numa);
        Topology topology = classify();
        boolean told = topology.linkClass() != LinkClass.UNKNOWN;
        return new TopoMatrixReport(
                elided ? lastIndex() + 1 : gpus.size(),
                nics,
                legend,
                gpuLinks,
                nicLinks,
                topology.linkClass().label(),
                told ? topology.groups() : null,
                cpus,
                numa,
                column("GPU NUMA ID"),
                complete,
                null,
                notes,
                Unparsed.of(lines, table.headerLine(), table.lastLine()));
    }

    /** An ellipsis before the last GPU stands for GPUs; behind it, for adapters. */
    private static boolean hasElidedGpus(List<String> columns) {
        boolean ellipsis = false;
        for (String column : columns) {
            if (ellipsis && GpuLabel.is(column)) {
                return true;
            }
            ellipsis |= column.startsWith("...") || column.startsWith("…");
        }
        return false;
    }

    private int lastIndex() {
        int last = 0;
        for (String gpu : gpus) {
            last = Math.max(last, GpuLabel.index(gpu));
        }
        return last;
    }

    private void readRow(int g, Map<String, String> legend) {
        Row row = table.row(gpus.get(g));
        List<String> toGpus = new ArrayList<>();
        List<String> toNics = new ArrayList<>();
        for (String column : table.columns()) {
            String label = row == null ? null : cell(row, table.columns().indexOf(column));
            int other = gpus.indexOf(column);
            if (label == null) {
                complete = false;
            } else if (other >= 0) {
                toGpus.add(label);
                matrix[g][other] = label;
                notePair(g, other, label, row.line());
            } else {
                toNics.add(label);
                String nic = legend.getOrDefault(column, column);
                int gpu = GpuLabel.index(gpus.get(g));
                notes.add(Noted.at(new GpuNicPath(gpu, nic, label), row.line(), lines));
            }
        }
        if (toGpus.size() == gpus.size() && !elided) {
            gpuLinks.put(gpus.get(g), toGpus);
        }
        if (!nics.isEmpty() && toNics.size() == nics.size()) {
            nicLinks.put(gpus.get(g), toNics);
        }
    }

    private void notePair(int g, int other, String label, int line) {
        int a = GpuLabel.index(gpus.get(g));
        int b = GpuLabel.index(gpus.get(other));
        if (a < b) {
            int nvlinks = LinkClassifier.nvlinks(label);
            GpuPair pair = new GpuPair(a, b, label, nvlinks > 0 ? nvlinks : null, null);
            notes.add(Noted.at(pair, line, lines));
        }
    }

    private static String cell(Row row, int place) {
        String cell = place < row.cells().size() ? row.cells().get(place) : null;
        return cell == null ? null : LinkWords.normal(cell);
    }

    private Topology classify() {
        List<Integer> indexes = new ArrayList<>();
        for (String gpu : gpus) {
            indexes.add(GpuLabel.index(gpu));
        }
        Topology topology = LinkClassifier.classify(indexes, matrix, GpuModel.in(lines));
        boolean hidden = gpus.size() > 1 && TopoMatrixParser.hidesNvlink(lines, table);
        if (hidden || elided) {
            topology = new Topology(LinkClass.UNKNOWN, gpus.size(), List.of());
        }
        if (topology.linkClass() == LinkClass.UNKNOWN) {
            String why =
                    hidden
                            ? "topo -mp shows the PCIe paths only; topo -m tells NVLink too"
                            : "the table of GPUs is cut or contradicts itself";
            Unknown unknown = new Unknown("Topology", why);
            notes.add(0, Noted.at(unknown, table.headerLine(), lines));
        } else {
            notes.add(0, Noted.at(topology, table.headerLine(), lines));
        }
        return topology;
    }

    /** "NUMA 0" that someone wrote behind each row of a table without that column, or null. */
    private Map<String, String> writtenBehind() {
        Map<String, String> nodes = new LinkedHashMap<>();
        for (String gpu : gpus) {
            Row row = table.row(gpu);
            List<Token> words = row == null ? List.of() : Token.in(lines.get(row.line() - 1));
            int last = words.size() - 1;
            boolean numa = last > 1 && words.get(last - 1).text().equalsIgnoreCase("NUMA");
            if (!numa || !Numbers.isInteger(words.get(last).text())) {
                return null;
            }
            nodes.put(gpu, words.get(last).text());
        }
        return nodes;
    }

    /** Values by GPU, or null when the table has no such column. */
    private Map<String, String> column(String heading) {
        int place = table.extras().indexOf(heading);
        if (place < 0) {
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String gpu : gpus) {
            Row row = table.row(gpu);
            if (row != null) {
                values.put(gpu, place < row.extras().size() ? row.extras().get(place) : null);
            }
        }
        return values;
    }

    private void noteAffinity(Map<String, String> cpus, Map<String, String> numa) {
        for (String gpu : gpus) {
            String cpuList = told(cpus, gpu);
            String nodes = told(numa, gpu);
            if (cpuList != null || nodes != null) {
                CpuAffinity fact = new CpuAffinity(GpuLabel.index(gpu), cpuList, nodes);
                notes.add(Noted.at(fact, table.row(gpu).line(), lines));
            }
        }
    }

    private static String told(Map<String, String> values, String gpu) {
        String value = values == null ? null : values.get(gpu);
        return "N/A".equals(value) ? null : value;
    }
}
