package io.gpuflow.parse;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BenchRow;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.parse.BenchTable.Cells;
import io.gpuflow.parse.BenchTable.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What nccl-tests or rccl-tests measured.
 *
 * @param tables one a run; at least one, which is empty when the tool failed
 * @param log what NCCL logged between the lines; null when it was silent
 */
record NcclTestsReport(
        List<BenchTable> tables,
        NcclInfoReport log,
        Failure failure,
        List<String> lines,
        List<String> unparsed)
        implements Report {

    @Override
    public String error() {
        return failure == null ? null : failure.text();
    }

    @Override
    public Map<String, Object> values() {
        BenchTable table = tables.get(0);
        Map<String, Object> values = values(table);
        if (failure != null) {
            values.put("error", failure.id());
            values.put("error_text", failure.text());
        }
        if (log != null) {
            log.values()
                    .forEach(
                            (key, value) ->
                                    values.merge(
                                            key, value == null ? "" : value, (own, told) -> own));
            values.values().removeIf(""::equals);
        }
        if (tables.size() > 1) {
            List<Map<String, Object>> all = new ArrayList<>();
            for (BenchTable each : tables) {
                all.add(values(each));
            }
            values.put("tables", all);
        }
        return values;
    }

    private static Map<String, Object> values(BenchTable table) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("tool", table.tool);
        values.put("test", table.test);
        values.put("rows", table.rows.size());
        values.put("avg_busbw", table.average);
        values.put("max_busbw_out_of_place", table.maxBusbw(false));
        values.put("max_busbw_in_place", table.maxBusbw(true));
        values.put("wrong_total", table.wrong());
        values.put("out_of_bounds", table.outOfBounds);
        values.put("out_of_bounds_status", table.outOfBoundsStatus);
        values.put("completed", table.completed);
        values.put("passed", table.passed());
        values.put("n_ranks", table.ranks());
        addSettings(table, values);
        values.put("bench", rows(table));
        return values;
    }

    private static void addSettings(BenchTable table, Map<String, Object> values) {
        if (!table.hosts.isEmpty()) {
            values.put("n_hosts", table.hosts.size());
        }
        if (!table.devices.isEmpty()) {
            values.put("device_name", table.devices.firstEntry().getValue());
        }
        put(values, "threads_per_process", table.threads);
        put(values, "gpus_per_thread", table.gpusPerThread);
        put(values, "validation", table.validation);
        put(values, "nccl_version", table.ncclVersion);
        put(values, "tests_version", table.testsVersion);
        put(values, "nccl_headers", table.ncclHeaders);
        put(values, "nccl_library", table.ncclLibrary);
        put(values, "avg_bw_status", table.averageStatus);
        if (!table.columns.isEmpty()) {
            values.put("columns", table.columns);
        }
        if (!table.failures.isEmpty()) {
            values.put("failure_lines", table.failures);
        }
    }

    private static void put(Map<String, Object> values, String key, Object value) {
        if (value != null) {
            values.put(key, value);
        }
    }

    private static List<Map<String, Object>> rows(BenchTable table) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Row row : table.rows) {
            if (row.outOfPlace() != null) {
                rows.add(row(row, row.outOfPlace(), false));
            }
            if (row.inPlace() != null) {
                rows.add(row(row, row.inPlace(), true));
            }
        }
        return rows;
    }

    private static Map<String, Object> row(Row row, Cells cells, boolean inPlace) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("bytes", row.bytes());
        values.put("count", row.count());
        values.put("type", row.type());
        values.put("op", row.op());
        values.put("root", row.root());
        values.put("time_us", cells.timeUs());
        values.put("algbw", cells.algbw());
        values.put("busbw", cells.busbw());
        values.put("wrong", cells.wrong());
        values.put("in_place", inPlace);
        return values;
    }

    @Override
    public List<Observed> facts(String sourceName) {
        List<Noted> notes = new ArrayList<>();
        for (BenchTable table : tables) {
            if (!table.rows.isEmpty()) {
                noteBench(table, notes);
            }
        }
        if (tables.get(0).rows.isEmpty()) {
            notes.add(Noted.at(new Unknown("Bench", failure.text()), failure.line(), lines));
        }
        if (log != null) {
            notes.addAll(log.notes());
        }
        return Noted.from(notes, sourceName);
    }

    private void noteBench(BenchTable table, List<Noted> notes) {
        Integer ranks = table.ranks() == null ? CollectiveName.ranks(table) : table.ranks();
        if (ranks == null) {
            Unknown unknown = new Unknown("Bench", "the output does not tell how many ranks ran");
            notes.add(Noted.at(unknown, table.averageLine, lines));
        } else {
            notes.add(Noted.at(bench(table, ranks), table.averageLine, lines));
        }
        for (Row row : table.rows) {
            noteRow(table, row, row.outOfPlace(), false, notes);
            noteRow(table, row, row.inPlace(), true, notes);
        }
    }

    private void noteRow(
            BenchTable table, Row row, Cells cells, boolean inPlace, List<Noted> notes) {
        if (cells != null) {
            BenchRow fact =
                    new BenchRow(
                            table.tool,
                            table.test,
                            row.bytes(),
                            cells.timeUs(),
                            cells.algbw(),
                            cells.busbw(),
                            cells.wrong(),
                            inPlace);
            notes.add(Noted.at(fact, row.line(), lines));
        }
    }

    private Bench bench(BenchTable table, int ranks) {
        Double peak = larger(table.maxBusbw(false), table.maxBusbw(true));
        Row largest = table.largest();
        return new Bench(
                table.tool,
                table.test,
                ranks,
                peak,
                table.average,
                mean(largest.outOfPlace(), largest.inPlace()),
                largest.bytes(),
                table.wrong(),
                log == null ? null : log.slowestTransport(),
                table.completed);
    }

    private static Double larger(Double a, Double b) {
        return a == null ? b : b == null ? a : Double.valueOf(Math.max(a, b));
    }

    private static Double mean(Cells a, Cells b) {
        Double out = a == null ? null : a.busbw();
        Double in = b == null ? null : b.busbw();
        return out == null ? in : in == null ? out : Double.valueOf((out + in) / 2);
    }
}
