package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the GPUs are registered with the NVSwitch fabric.
 *
 * @param blocks by GPU index, in the order printed
 * @param attached number of GPUs that the report's head tells; null when it was cut off
 */
record FabricReport(
        Map<Integer, Block> blocks,
        Integer attached,
        Failure failure,
        List<Noted> notes,
        List<String> unparsed)
        implements Report {

    /**
     * The block of one GPU.
     *
     * @param line of its title
     * @param values as printed, by key
     */
    record Block(int line, Map<String, String> values) {
        private boolean is(String key, String value) {
            return value.equals(values.get(key));
        }

        private boolean applies() {
            String state = values.get("state");
            return state != null && !state.equals("N/A") && !state.equals("Not Supported");
        }

        private boolean hasCluster() {
            String uuid = values.get("cluster_uuid");
            return uuid != null && uuid.matches("[0-9a-fA-F-]*[1-9a-fA-F][0-9a-fA-F-]*");
        }
    }

    @Override
    public String error() {
        return failure == null ? null : failure.text();
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        values.put("subkind", "fabric");
        if (attached != null) {
            values.put("gpu_count", attached);
        }
        values.put("gpu_sections", blocks.size());
        Map<String, Object> byGpu = new LinkedHashMap<>();
        boolean applicable = false;
        boolean ready = true;
        boolean cluster = false;
        for (Map.Entry<Integer, Block> entry : blocks.entrySet()) {
            Block block = entry.getValue();
            byGpu.put("GPU" + entry.getKey(), plain(block.values()));
            applicable |= block.applies();
            ready &= block.is("state", "Completed") && block.is("status", "Success");
            cluster |= block.hasCluster();
        }
        values.put("fabric", byGpu);
        values.put("fabric_applicable", applicable);
        values.put("fabric_ready", applicable ? ready : null);
        if (applicable && ready) {
            values.put("mnnvl", cluster);
        }
        return values;
    }

    /** True and False as booleans; all else as printed. */
    private static Map<String, Object> plain(Map<String, String> block) {
        Map<String, Object> plain = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : block.entrySet()) {
            Object value =
                    switch (entry.getValue()) {
                        case "True" -> Boolean.TRUE;
                        case "False" -> Boolean.FALSE;
                        default -> entry.getValue();
                    };
            plain.put(entry.getKey(), value);
        }
        return plain;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes, sourceName);
    }
}
