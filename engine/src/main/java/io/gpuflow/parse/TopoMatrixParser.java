package io.gpuflow.parse;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.DeviceTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads nvidia-smi topo -m: how the GPUs and network adapters of a machine are linked. */
public final class TopoMatrixParser implements Parser<TopoMatrixReport> {
    private static final LinkWords WORDS = new LinkWords();

    @Override
    public String kind() {
        return "topo-m";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        List<String> lines = Lines.of(head);
        DeviceTable table = new DeviceTableReader(lines, WORDS).readTelling(0);
        if (table != null && (table.tellsPairs() || table.columns().size() == 1)) {
            return table.tellsPairs() ? 90 : 80;
        }
        if (head.contains("topo -m") || head.contains("topo --matrix")) {
            return 60;
        }
        return ToolErrors.ofGpuTool(lines) != null ? 20 : 0;
    }

    @Override
    public TopoMatrixReport parse(String text) {
        List<String> lines = Lines.of(text);
        DeviceTableReader reader = new DeviceTableReader(lines, WORDS);
        DeviceTable table = reader.readTelling(0);
        if (table == null) {
            return failed(lines);
        }
        DeviceTable next = hidesNvlink(lines, table) ? reader.readTelling(table.lastLine()) : null;
        table = next == null ? table : next;
        List<String> gpus = new ArrayList<>();
        List<String> nics = new ArrayList<>();
        for (String column : table.columns()) {
            if (!column.startsWith("...") && !column.startsWith("…")) {
                (GpuLabel.is(column) ? gpus : nics).add(column);
            }
        }
        for (Row row : table.rows()) {
            List<String> alike = GpuLabel.is(row.device()) ? gpus : nics;
            if (!alike.contains(row.device())) {
                alike.add(row.device());
            }
        }
        return new TopoMatrixReading(lines, table, gpus, nics).report();
    }

    /** True when the command above the table was nvidia-smi topo -mp. */
    static boolean hidesNvlink(List<String> lines, DeviceTable table) {
        for (int i = Math.min(table.headerLine(), lines.size()) - 1; i >= 0; i--) {
            String line = lines.get(i);
            int at = Math.max(line.lastIndexOf("topo -m"), line.lastIndexOf("topo --matrix"));
            if (at >= 0) {
                return line.startsWith("topo -mp", at);
            }
        }
        return false;
    }

    private static TopoMatrixReport failed(List<String> lines) {
        Failure failure = ToolErrors.in(lines);
        if (failure == null) {
            failure = new Failure("no-table", "no table of GPUs found", 0);
        }
        Unknown unknown = new Unknown("Topology", failure.text());
        List<Noted> notes = List.of(Noted.at(unknown, failure.line(), lines));
        return new TopoMatrixReport(
                0,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                LinkClass.UNKNOWN.label(),
                null,
                null,
                null,
                null,
                false,
                failure,
                notes,
                Unparsed.of(lines, failure.line()));
    }
}
