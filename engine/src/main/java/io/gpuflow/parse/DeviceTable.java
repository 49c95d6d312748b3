package io.gpuflow.parse;

import java.util.List;

/**
 * A table of devices against devices, as nvidia-smi topo and rocm-smi --showtopo print it.
 *
 * @param columns device labels above the cells, in the order printed
 * @param extras headings after the devices: CPU Affinity, NUMA Affinity, GPU NUMA ID
 * @param rows one a device, in the order printed; rows may be missing
 * @param headerLine line of the column labels; 0 when the text has none and the rows told them
 * @param lastLine the last line that belongs to the table
 */
record DeviceTable(
        List<String> columns, List<String> extras, List<Row> rows, int headerLine, int lastLine) {

    /**
     * @param cells as many as there are columns, or fewer when the row is cut; a cell that could
     *     not be read is null
     * @param extras aligned with the table's extras; null for an empty cell
     */
    record Row(String device, List<String> cells, List<String> extras, int line) {}

    /** What a writer puts in place of columns, rows or cells between others. */
    static boolean isEllipsis(String word) {
        return word.equals("...") || word.equals("…");
    }

    /** What a particular tool writes into the table. */
    interface Words {
        /** A label that can only name a GPU. */
        boolean isGpu(String word);

        /** A value between two devices. */
        boolean isCell(String word);

        /** Stands for a heading of which the end of the line cut a part off. */
        String CUT = "";

        /** The heading that begins with this word of the header line, CUT, or null. */
        default String extra(List<Token> words, int at) {
            return null;
        }
    }

    Row row(String device) {
        for (Row row : rows) {
            if (row.device().equals(device)) {
                return row;
            }
        }
        return null;
    }

    /** True when some cell tells more than that a device is itself. */
    boolean tellsPairs() {
        for (Row row : rows) {
            for (String cell : row.cells()) {
                if (cell != null && !cell.equalsIgnoreCase("X")) {
                    return true;
                }
            }
        }
        return false;
    }
}
