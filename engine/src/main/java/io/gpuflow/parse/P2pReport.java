package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What nvidia-smi topo -p2p says: which GPU may reach which other GPU's memory.
 *
 * @param tables one for each capability asked, in the order printed; empty when the tool failed
 */
record P2pReport(List<Table> tables, Failure failure, List<String> lines, List<String> unparsed)
        implements Report {

    /**
     * One matrix.
     *
     * @param capability read, write, nvlink, atomics, "prop (pcie)", several joined by +, or
     *     unknown
     * @param matrix a row of cells (OK, CNS, GNS, TNS, NS, DR, U, X) by GPU label
     * @param rowLines the line of each row
     * @param okPairs pairs that are OK in both directions
     * @param allPairsOk null for a single GPU, or when cells are missing
     */
    record Table(
            String capability,
            List<String> gpus,
            Map<String, List<String>> matrix,
            List<Integer> rowLines,
            List<List<Integer>> okPairs,
            Boolean allPairsOk) {

        Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("gpu_count", gpus.size());
            values.put("capability", capability);
            values.put("matrix", Rows.joined(matrix));
            values.put("ok_pairs", okPairs);
            values.put("all_pairs_ok", allPairsOk);
            return values;
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
            values.put("gpu_count", 0);
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        values.putAll(tables.get(0).values());
        if (tables.size() > 1) {
            List<Map<String, Object>> all = new ArrayList<>();
            for (Table table : tables) {
                all.add(table.values());
            }
            values.put("tables", all);
        }
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        List<Noted> notes = new ArrayList<>();
        if (failure != null) {
            notes.add(Noted.at(new Unknown("P2pPair", failure.text()), failure.line(), lines));
        }
        for (Table table : tables) {
            String told = table.capability();
            String capability =
                    told.equals(P2pCapability.UNKNOWN) ? P2pCapability.in(sourceName) : told;
            for (String kind : P2pCapability.kinds(capability)) {
                note(table, kind, notes);
            }
        }
        return Noted.from(notes, sourceName);
    }

    private void note(Table table, String kind, List<Noted> notes) {
        int row = 0;
        for (Map.Entry<String, List<String>> cells : table.matrix().entrySet()) {
            int line = table.rowLines().get(row++);
            int from = GpuLabel.index(cells.getKey());
            for (int to = 0; to < cells.getValue().size(); to++) {
                String status = cells.getValue().get(to);
                int other = GpuLabel.index(table.gpus().get(to));
                if (other != from) {
                    notes.add(Noted.at(new P2pPair(from, other, kind, status), line, lines));
                }
            }
        }
    }
}
