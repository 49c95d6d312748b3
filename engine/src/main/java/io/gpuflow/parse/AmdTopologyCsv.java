package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/**
 * amd-smi topology --csv: a heading gpu,bdf,link_accessibility_gpu_0,…,link_type_gpu_0,… and a row
 * a GPU.
 */
final class AmdTopologyCsv {
    /** Beginning of a column's name before _gpu_N, table. */
    private static final String[][] COLUMNS = {
        {"link_accessibility", AmdTables.ACCESS},
        {"weight", AmdTables.WEIGHT},
        {"hops", AmdTables.HOPS},
        {"link_type", AmdTables.LINK_TYPE},
        {"numa_bandwidth", AmdTables.BANDWIDTH},
        {"coherent", AmdTables.COHERENT},
        {"atomics", AmdTables.ATOMICS},
        {"dma", AmdTables.DMA},
        {"bi_dir", AmdTables.BI_DIRECTIONAL},
    };

    private AmdTopologyCsv() {}

    static boolean read(List<String> lines, AmdTables tables) {
        List<String> heading = null;
        for (String line : lines) {
            List<String> fields = fields(line.strip());
            if (heading == null) {
                boolean ours = fields.get(0).equals("gpu") && line.contains("_gpu_");
                heading = ours ? fields : null;
            } else if (fields.size() >= heading.size()) {
                readRow(heading, fields, tables);
            }
        }
        return !tables.isEmpty();
    }

    /** Cut at commas that are not in quotes: "64,32" is one cell. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }

    private static void readRow(List<String> heading, List<String> fields, AmdTables tables) {
        Long gpu = Numbers.integer(fields.get(0));
        if (gpu == null || gpu < 0 || gpu > 1023) {
            return;
        }
        for (int i = 1; i < heading.size(); i++) {
            String name = heading.get(i);
            if (name.equals("bdf")) {
                tables.gpu(gpu.intValue(), fields.get(i));
                continue;
            }
            int to = AmdTopologyJson.peer(name);
            for (String[] column : COLUMNS) {
                if (to >= 0 && name.startsWith(column[0] + "_gpu_")) {
                    tables.cell(column[1], gpu.intValue(), to, fields.get(i));
                }
            }
        }
    }
}
