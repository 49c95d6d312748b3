package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/** Reads what nccl-tests and rccl-tests print (all versions) or write with -J. */
public final class NcclTestsParser implements Parser<NcclTestsReport> {
    /** Words that nothing else prints. */
    private static final String[] SURE = {
        "\"bus_bw\"", "\"average_bus_band", "\"busBw\"", "Collective test starting",
        "nccl-tests version", "rccl-tests: Version", "Test NCCL failure", "Test CUDA failure",
        "Invalid number of GPUs:",
    };

    @Override
    public String kind() {
        return "nccl-tests";
    }

    @Override
    public boolean readsPart() {
        return true;
    }

    @Override
    public int recognises(String head) {
        if (head.contains("Avg bus bandwidth")) {
            return 95;
        }
        for (String words : SURE) {
            if (head.contains(words)) {
                return 90;
            }
        }
        if (hasTable(head)) {
            return 90;
        }
        if (head.contains("_perf") && ToolErrors.in(Lines.of(head)) != null) {
            return 40;
        }
        return head.contains("nThread ") && head.contains("nGpus ") ? 80 : 0;
    }

    /** A heading or a row: what is left when someone cut out the table alone. */
    private static boolean hasTable(String head) {
        BenchRowReader rows = new BenchRowReader();
        for (String line : Lines.of(head)) {
            List<Token> tokens = line.indexOf(' ') < 0 ? List.of() : Token.in(line);
            if (tokens.size() > 7
                    && (BenchColumns.in(tokens) != null
                            || rows.read(line, tokens, 1, false) != null)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public NcclTestsReport parse(String text) {
        List<String> lines = Lines.of(text);
        if (JsonTree.isIn(lines)) {
            BenchTable table = NcclTestsJson.read(JsonTree.in(lines));
            if (table != null) {
                return report(lines, List.of(table), null, List.of());
            }
        }
        NcclTestsText reader = new NcclTestsText(lines);
        List<BenchTable> tables = withoutHeading(reader.read());
        NcclInfoReport log = reader.hasLog() ? new NcclInfoParser().parse(text) : null;
        return report(lines, tables, log, reader.unparsed());
    }

    /** Runs that only began (a heading without rows) are left out when others have rows. */
    private static List<BenchTable> withoutHeading(List<BenchTable> tables) {
        List<BenchTable> full = new ArrayList<>();
        for (BenchTable table : tables) {
            if (!table.rows.isEmpty()) {
                full.add(table);
            }
        }
        if (full.isEmpty()) {
            return tables.subList(0, 1);
        }
        for (BenchTable table : tables) {
            if (table.rows.isEmpty()) {
                full.get(full.size() - 1).failures.addAll(table.failures);
            }
        }
        return full;
    }

    private static NcclTestsReport report(
            List<String> lines,
            List<BenchTable> tables,
            NcclInfoReport log,
            List<String> unparsed) {
        BenchTable first = tables.get(0);
        Failure failure = null;
        if (first.rows.isEmpty()) {
            failure = failure(first, lines);
        } else if (!first.completed && !first.failures.isEmpty()) {
            failure =
                    new Failure(
                            "test-failure",
                            first.failures.get(0),
                            lineOf(first.failures.get(0), lines));
        }
        return new NcclTestsReport(tables, log, failure, lines, unparsed);
    }

    private static Failure failure(BenchTable table, List<String> lines) {
        if (!table.failures.isEmpty()) {
            String text = table.failures.get(0);
            String id = text.contains("Invalid number of GPUs") ? "too-few-gpus" : "test-failure";
            return new Failure(id, text, lineOf(text, lines));
        }
        Failure failure = ToolErrors.in(lines);
        return failure != null ? failure : new Failure("no-rows", "no row of results found", 0);
    }

    private static int lineOf(String excerpt, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (Excerpt.of(lines.get(i)).equals(excerpt)) {
                return i + 1;
            }
        }
        return 0;
    }
}
