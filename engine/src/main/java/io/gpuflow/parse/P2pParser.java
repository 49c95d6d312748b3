package io.gpuflow.parse;

import io.gpuflow.parse.DeviceTable.Row;
import io.gpuflow.parse.P2pReport.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads nvidia-smi topo -p2p r|w|n|a|p: the peer access that the driver grants between GPUs. */
public final class P2pParser implements Parser<P2pReport> {
    private static final StatusWords WORDS = new StatusWords();

    @Override
    public String kind() {
        return "p2p";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        boolean named = head.contains("-p2p") || head.contains("= Status Ok");
        DeviceTable table = new DeviceTableReader(Lines.of(head), WORDS).readTelling(0);
        if (table == null) {
            return named ? 50 : 0;
        }
        if (table.tellsPairs()) {
            return 90;
        }
        return named && table.columns().size() == 1 ? 90 : 0;
    }

    @Override
    public P2pReport parse(String text) {
        List<String> lines = Lines.of(text);
        List<Table> tables = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        DeviceTableReader reader = new DeviceTableReader(lines, WORDS);
        int from = 0;
        for (DeviceTable table = reader.read(0); table != null; table = reader.read(from)) {
            int first = table.headerLine();
            int start = (first > 0 ? first : table.rows().get(0).line()) - 1;
            List<String> before = lines.subList(from, Math.max(from, start));
            if (table.tellsPairs() || isSingle(table, lines)) {
                tables.add(table(table, String.join("\n", before)));
            }
            unparsed.addAll(Unparsed.of(before, 0));
            from = table.lastLine();
        }
        if (tables.isEmpty()) {
            Failure failure = ToolErrors.in(lines);
            if (failure == null) {
                failure = new Failure("no-table", "no table of GPUs found", 0);
            }
            return new P2pReport(tables, failure, lines, Unparsed.of(lines, failure.line()));
        }
        unparsed.addAll(Unparsed.of(lines.subList(from, lines.size()), 0));
        return new P2pReport(tables, null, lines, unparsed);
    }

    /** One GPU and nothing behind its X: not the beginning of a row of nvidia-smi topo -m. */
    private static boolean isSingle(DeviceTable table, List<String> lines) {
        String line = lines.get(table.rows().get(0).line() - 1).stripTrailing();
        return table.columns().size() == 1 && line.endsWith("X");
    }

    private static Table table(DeviceTable table, String before) {
        List<String> gpus = new ArrayList<>(table.columns());
        Map<String, List<String>> matrix = new LinkedHashMap<>();
        List<Integer> rowLines = new ArrayList<>();
        for (Row row : table.rows()) {
            if (!gpus.contains(row.device())) {
                gpus.add(row.device());
            }
        }
        for (String gpu : table.columns()) {
            Row row = table.row(gpu);
            if (row != null && row.cells().size() == gpus.size() && !row.cells().contains(null)) {
                matrix.put(gpu, row.cells());
                rowLines.add(row.line());
            }
        }
        List<List<Integer>> okPairs = okPairs(gpus, matrix);
        int pairs = gpus.size() * (gpus.size() - 1) / 2;
        boolean told = pairs > 0 && matrix.size() == gpus.size();
        Boolean all = told ? Boolean.valueOf(okPairs.size() == pairs) : null;
        return new Table(P2pCapability.in(before), gpus, matrix, rowLines, okPairs, all);
    }

    private static List<List<Integer>> okPairs(
            List<String> gpus, Map<String, List<String>> matrix) {
        List<List<Integer>> pairs = new ArrayList<>();
        for (int a = 0; a < gpus.size(); a++) {
            for (int b = a + 1; b < gpus.size(); b++) {
                if (isOk(matrix.get(gpus.get(a)), b) && isOk(matrix.get(gpus.get(b)), a)) {
                    int first = GpuLabel.index(gpus.get(a));
                    pairs.add(List.of(first, GpuLabel.index(gpus.get(b))));
                }
            }
        }
        return pairs;
    }

    private static boolean isOk(List<String> row, int at) {
        return row != null && row.get(at).equals("OK");
    }
}
