package io.gpuflow.parse;

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
        String[] heading = null;
        for (String line : lines) {
            String[] fields = line.strip().split(",", -1);
            if (heading == null) {
                heading = fields[0].equals("gpu") && line.contains("_gpu_") ? fields : null;
            } else if (fields.length >= heading.length && Numbers.isInteger(fields[0])) {
                readRow(heading, fields, tables);
            }
        }
        return !tables.isEmpty();
    }

    private static void readRow(String[] heading, String[] fields, AmdTables tables) {
        Long gpu = Numbers.integer(fields[0]);
        if (gpu == null || gpu < 0 || gpu > 1023) {
            return;
        }
        // A cell "64,32" is quoted, so the columns after it are shifted.
        int shift = 0;
        for (int i = 1; i < heading.length && i + shift < fields.length; i++) {
            String field = fields[i + shift];
            if (field.startsWith("\"") && !field.endsWith("\"")) {
                shift++;
                continue;
            }
            if (heading[i].equals("bdf")) {
                tables.gpu(gpu.intValue(), field);
                continue;
            }
            int to = AmdTopologyJson.peer(heading[i]);
            for (String[] column : COLUMNS) {
                if (to >= 0 && heading[i].startsWith(column[0] + "_gpu_")) {
                    tables.cell(column[1], gpu.intValue(), to, field);
                }
            }
        }
    }
}
