package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What amd-smi topology or rocm-smi --showtopo says.
 *
 * @param tool amd-smi or rocm-smi
 * @param format text, csv, json-new, json-old or json-rocm
 * @param gpuLinks XGMI or PCIE to each GPU, by GPU label; null when the link type was not printed
 * @param groups GPUs joined by Infinity Fabric; null when not known
 */
record AmdTopologyReport(
        String tool,
        String format,
        AmdTables tables,
        Map<String, List<String>> gpuLinks,
        String linkClass,
        List<List<Integer>> groups,
        Failure failure,
        List<Noted> notes,
        List<String> unparsed)
        implements Report {

    @Override
    public String error() {
        return failure == null ? null : failure.text();
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpu_count", tables.gpus().size());
        values.put("link_class", linkClass);
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        values.put("tool", tool);
        values.put("output_format", format);
        values.put("gpu_links", gpuLinks == null ? null : Rows.joined(gpuLinks));
        values.put("xgmi_groups", groups);
        List<String> bdfs = new ArrayList<>();
        for (int gpu : tables.gpus()) {
            if (tables.bdf(gpu) != null) {
                bdfs.add(tables.bdf(gpu));
            }
        }
        if (!bdfs.isEmpty()) {
            values.put("bdf", bdfs);
        }
        for (String table : tables.tables()) {
            if (!table.equals(AmdTables.LINK_TYPE)) {
                values.put(table, rows(table));
            }
        }
        if (!tables.numaNodes().isEmpty()) {
            values.put("numa_node", new ArrayList<>(tables.numaNodes().values()));
        }
        if (!tables.numaAffinities().isEmpty()) {
            values.put("numa_affinity", new ArrayList<>(tables.numaAffinities().values()));
        }
        return values;
    }

    /** A table's rows; a cell that was not printed is a question mark. */
    private Map<String, String> rows(String table) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (int from : tables.gpus()) {
            List<String> cells = new ArrayList<>();
            for (int to : tables.gpus()) {
                String cell = tables.eitherWay(table, from, to);
                cells.add(cell != null ? cell : from == to ? "X" : "?");
            }
            rows.put("GPU" + from, String.join(" ", cells));
        }
        return rows;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
