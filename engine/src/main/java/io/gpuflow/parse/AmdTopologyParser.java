package io.gpuflow.parse;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads amd-smi topology and rocm-smi --showtopo (text, JSON and CSV): how AMD GPUs are linked.
 * Only the link type tells a link; a hop count of 1 is printed for pairs without one too.
 */
public final class AmdTopologyParser implements Parser<AmdTopologyReport> {
    @Override
    public String kind() {
        return "amd";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        String[] sure = {
            "TABLE:",
            "between two GPUs",
            "(Topology)",
            "\"link_type\"",
            "\"link_accessibility\"",
            "\"link_status\"",
            "\"num_hops\"",
            "link_type_gpu_",
            "link_accessibility_gpu_",
        };
        for (String word : sure) {
            if (head.contains(word) && (!word.equals("TABLE:") || hasTitle(head))) {
                return 88;
            }
        }
        boolean named = head.contains("rocm-smi") || head.contains("amd-smi");
        if (head.contains("XGMI")
                && new DeviceTableReader(Lines.of(head), new AmdWords()).read(0) != null) {
            return 85;
        }
        return named && ToolErrors.in(Lines.of(head)) != null ? 30 : 0;
    }

    private static boolean hasTitle(String head) {
        for (String title :
                new String[] {
                    "ACCESS",
                    "WEIGHT",
                    "HOPS",
                    "LINK TYPE",
                    "NUMA BW",
                    "COHERANCY",
                    "ATOMICS",
                    "DMA",
                    "BI-DIRECTIONAL"
                }) {
            if (head.contains(title + " TABLE:")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public AmdTopologyReport parse(String text) {
        List<String> lines = Lines.of(text);
        List<String> unparsed = new ArrayList<>();
        AmdTables tables = new AmdTables();
        String format = null;
        boolean whole = true;
        if (JsonTree.isIn(lines)) {
            JsonTree json = JsonTree.in(lines);
            format = AmdTopologyJson.read(json.root(), tables);
            whole = format == null || json.whole();
        }
        if (format == null && AmdTopologyCsv.read(lines, tables)) {
            format = "csv";
        }
        if (format == null) {
            format = "text";
            tables = AmdTopologyText.read(lines, unparsed);
        }
        if (tables.isEmpty()) {
            return failed(lines);
        }
        String tool = tool(text, format);
        return new AmdTopologyReading(lines, tables, tool, format, whole, unparsed).report();
    }

    private static String tool(String text, String format) {
        boolean rocm =
                format.equals("json-rocm")
                        || text.contains("(Topology)")
                        || ToolErrors.containsIgnoringCase(text, "between two gpus")
                        || text.contains("rocm-smi");
        return rocm ? "rocm-smi" : "amd-smi";
    }

    private static AmdTopologyReport failed(List<String> lines) {
        Failure failure = ToolErrors.in(lines);
        if (failure == null) {
            failure = new Failure("no-table", "no table of GPUs found", 0);
        }
        Unknown unknown = new Unknown("Topology", failure.text());
        List<Noted> notes = List.of(Noted.at(unknown, failure.line(), lines));
        return new AmdTopologyReport(
                null,
                null,
                new AmdTables(),
                null,
                LinkClass.UNKNOWN.label(),
                null,
                failure,
                notes,
                Unparsed.of(lines, failure.line()));
    }
}
