package io.gpuflow.parse;

import io.gpuflow.parse.DeviceTable.Row;
import java.util.List;

/** The text of amd-smi topology and of rocm-smi --showtopo and its parts. */
final class AmdTopologyText {
    private static final AmdWords WORDS = new AmdWords();

    /** Title (lower case), table. The spelling of COHERANCY is the tool's. */
    private static final String[][] TITLES = {
        {"weight between two gpus", AmdTables.WEIGHT},
        {"hops between two gpus", AmdTables.HOPS},
        {"link type between two gpus", AmdTables.LINK_TYPE},
        {"link accessibility between two gpus", AmdTables.ACCESS},
        {"access table", AmdTables.ACCESS},
        {"weight table", AmdTables.WEIGHT},
        {"hops table", AmdTables.HOPS},
        {"link type table", AmdTables.LINK_TYPE},
        {"numa bw table", AmdTables.BANDWIDTH},
        {"cache coherancy table", AmdTables.COHERENT},
        {"cache coherency table", AmdTables.COHERENT},
        {"atomics table", AmdTables.ATOMICS},
        {"dma table", AmdTables.DMA},
        {"bi-directional table", AmdTables.BI_DIRECTIONAL},
    };

    private AmdTopologyText() {}

    static AmdTables read(List<String> lines, List<String> unparsed) {
        AmdTables tables = new AmdTables();
        boolean[] read = new boolean[lines.size()];
        readTables(lines, tables, read);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!read[i] && !readNuma(line, tables) && !isFrame(line) && titleOf(line) == null) {
                unparsed.add(Excerpt.of(line));
            }
        }
        return tables;
    }

    private static void readTables(List<String> lines, AmdTables tables, boolean[] read) {
        DeviceTableReader reader = new DeviceTableReader(lines, WORDS);
        int from = 0;
        for (DeviceTable table = reader.read(0); table != null; table = reader.read(from)) {
            int start = table.headerLine() > 0 ? table.headerLine() : table.rows().get(0).line();
            String name = titleAbove(lines, from, start - 1);
            if (name == null) {
                name = tableOf(table);
            }
            if (name != null) {
                tables.line(name, start);
                fill(table, name, tables);
            }
            for (int i = start - 1; i < table.lastLine() && i < read.length; i++) {
                read[i] = true;
            }
            from = table.lastLine();
        }
    }

    private static void fill(DeviceTable table, String name, AmdTables tables) {
        for (int i = 0; i < table.columns().size(); i++) {
            gpuOf(table.columns().get(i), i, tables);
        }
        for (Row row : table.rows()) {
            int from = gpuOf(row.device(), tables.gpus().size(), tables);
            for (int c = 0; c < row.cells().size(); c++) {
                int to = gpuOf(table.columns().get(c), c, tables);
                tables.cell(name, from, to, row.cells().get(c));
            }
        }
    }

    /** The index of a GPU: its label's number, or the place of its PCI address. */
    private static int gpuOf(String label, int place, AmdTables tables) {
        int index = GpuLabel.index(label);
        if (index < 0) {
            int known = tables.withBdf(label);
            index = known >= 0 ? known : place;
            tables.gpu(index, label);
        } else {
            tables.gpu(index, null);
        }
        return index;
    }

    private static String titleAbove(List<String> lines, int from, int to) {
        for (int i = to - 1; i >= from && i >= 0; i--) {
            String title = titleOf(lines.get(i));
            if (title != null) {
                return title;
            }
        }
        return null;
    }

    /** The table that a title names; a launcher's prefix may stand before it. */
    private static String titleOf(String line) {
        boolean rocm = ToolErrors.containsIgnoringCase(line, "between two gpus");
        boolean amd = line.stripTrailing().endsWith("TABLE:") && !line.contains("NIC");
        if (!rocm && !amd) {
            return null;
        }
        for (String[] title : TITLES) {
            if (ToolErrors.containsIgnoringCase(line, title[0])) {
                return title[1];
            }
        }
        return null;
    }

    /** Without the signs that rocm-smi draws around its titles. */
    private static String strip(String line) {
        int start = 0;
        while (start < line.length() && "=*#-+ \t".indexOf(line.charAt(start)) >= 0) {
            start++;
        }
        return line.substring(start);
    }

    /** What a table without a title can only be; numbers alone tell nothing. */
    private static String tableOf(DeviceTable table) {
        for (Row row : table.rows()) {
            for (String cell : row.cells()) {
                switch (cell) {
                    case "XGMI", "PCIE", "PCIe":
                        return AmdTables.LINK_TYPE;
                    case "ENABLED", "DISABLED":
                        return AmdTables.ACCESS;
                    default:
                        break;
                }
            }
        }
        return null;
    }

    /** GPU[0] : (Topology) Numa Node: 0 */
    private static boolean readNuma(String line, AmdTables tables) {
        int open = line.indexOf("GPU[");
        int close = line.indexOf(']', open + 1);
        int topology = line.indexOf("(Topology)", close + 1);
        if (open < 0 || close < 0 || topology < 0) {
            return false;
        }
        Long gpu = Numbers.integer(line.substring(open + 4, close));
        int colon = line.indexOf(':', topology);
        if (gpu == null || gpu < 0 || gpu > 1023 || colon < 0) {
            return false;
        }
        String value = line.substring(colon + 1).strip();
        if (line.startsWith("Numa Node", topology + 11)) {
            tables.numaNode(gpu.intValue(), value);
            return true;
        }
        if (line.startsWith("Numa Affinity", topology + 11)) {
            tables.numaAffinity(gpu.intValue(), value);
            return true;
        }
        return false;
    }

    private static boolean isFrame(String line) {
        String text = strip(line);
        return text.isBlank()
                || text.startsWith("ROCm System Management Interface")
                || text.startsWith("End of ROCm SMI Log")
                || text.startsWith("Numa Nodes")
                || text.startsWith("Legend")
                || text.indexOf(" = ") > 0 && text.indexOf(" = ") < 22
                || text.startsWith("<BW from>");
    }
}
