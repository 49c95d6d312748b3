package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables of amd-smi topology or rocm-smi --showtopo, cell by cell. */
final class AmdTables {
    static final String ACCESS = "access";
    static final String WEIGHT = "weight";
    static final String HOPS = "hops";
    static final String LINK_TYPE = "link_type";
    static final String BANDWIDTH = "bandwidth";
    static final String COHERENT = "coherent";
    static final String ATOMICS = "atomics";
    static final String DMA = "dma";
    static final String BI_DIRECTIONAL = "bi_dir";

    /** PCI addresses by GPU; GPUs without a known address have an empty one. */
    private final TreeMap<Integer, String> gpus = new TreeMap<>();

    private final Map<String, Map<Long, String>> cells = new LinkedHashMap<>();
    private final Map<Integer, String> numaNodes = new TreeMap<>();
    private final Map<Integer, String> numaAffinities = new TreeMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    void gpu(int gpu, String bdf) {
        if (bdf != null || !gpus.containsKey(gpu)) {
            gpus.put(gpu, bdf == null ? "" : bdf);
        }
    }

    void cell(String table, int from, int to, String value) {
        if (value != null) {
            gpu(from, null);
            gpu(to, null);
            cells.computeIfAbsent(table, name -> new LinkedHashMap<>()).put(key(from, to), value);
        }
    }

    /** Notes the line on which a table begins. */
    void line(String table, int line) {
        lines.putIfAbsent(table, line);
    }

    void numaNode(int gpu, String node) {
        gpu(gpu, null);
        numaNodes.put(gpu, node);
    }

    void numaAffinity(int gpu, String node) {
        gpu(gpu, null);
        numaAffinities.put(gpu, node);
    }

    private static long key(int from, int to) {
        return (long) from << 32 | to;
    }

    boolean has(String table) {
        return cells.containsKey(table);
    }

    boolean isEmpty() {
        return gpus.isEmpty();
    }

    List<String> tables() {
        return new ArrayList<>(cells.keySet());
    }

    List<Integer> gpus() {
        return new ArrayList<>(gpus.keySet());
    }

    /** PCI address of a GPU, or null. */
    String bdf(int gpu) {
        String bdf = gpus.get(gpu);
        return bdf == null || bdf.isEmpty() ? null : bdf;
    }

    /** The GPU with a PCI address, or −1. */
    int withBdf(String bdf) {
        for (Map.Entry<Integer, String> gpu : gpus.entrySet()) {
            if (gpu.getValue().equals(bdf)) {
                return gpu.getKey();
            }
        }
        return -1;
    }

    Map<Integer, String> numaNodes() {
        return numaNodes;
    }

    Map<Integer, String> numaAffinities() {
        return numaAffinities;
    }

    int lineOf(String table) {
        return lines.getOrDefault(table, 0);
    }

    /** A cell, or null when it is not there. */
    String cell(String table, int from, int to) {
        Map<Long, String> values = cells.get(table);
        return values == null ? null : values.get(key(from, to));
    }

    /**
     * A cell, or, where only one half of a symmetric table was printed, that of the other
     * direction.
     */
    String eitherWay(String table, int a, int b) {
        String cell = cell(table, a, b);
        return cell != null ? cell : cell(table, b, a);
    }
}
