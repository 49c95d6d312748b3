package io.gpuflow.parse;

import io.gpuflow.parse.BenchTable.Row;
import java.util.ArrayList;
import java.util.List;

/** The text that nccl-tests and rccl-tests print, one table a run. */
final class NcclTestsText {
    private final List<String> lines;
    private final List<BenchTable> tables = new ArrayList<>();
    private final List<String> unparsed = new ArrayList<>();
    private final BenchRowReader rowReader = new BenchRowReader();
    private BenchTable table = new BenchTable();
    private String program;
    private boolean inDevices;
    private boolean hasLog;

    NcclTestsText(List<String> lines) {
        this.lines = lines;
    }

    /** The runs in the text, in order; the last is empty when the text holds none. */
    List<BenchTable> read() {
        for (int i = 0; i < lines.size(); i++) {
            read(lines.get(i), i + 1);
        }
        close();
        if (tables.isEmpty()) {
            tables.add(table);
        }
        return tables;
    }

    List<String> unparsed() {
        return unparsed;
    }

    /** True when NCCL's own log stands between the lines. */
    boolean hasLog() {
        return hasLog;
    }

    private void read(String line, int number) {
        NcclLogLine log = NcclLogLine.in(line);
        hasLog |= log != null;
        String own = log == null ? line : line.substring(0, log.start());
        if (own.isBlank() || isComment(own)) {
            return;
        }
        List<Token> tokens = Token.in(own);
        Row row = rowReader.read(own, tokens, number, log != null);
        if (row != null) {
            table.rows.add(row);
            inDevices = false;
            return;
        }
        boolean known =
                readHeading(tokens, own)
                        || readSettings(own)
                        || NcclTestsWords.footer(own, number, table)
                        || readDevice(tokens);
        known = NcclTestsWords.failure(own, table) || known;
        if (!known && log == null) {
            readOther(own, tokens);
        }
    }

    /** A line of # alone, whatever a launcher put before it. */
    private static boolean isComment(String line) {
        String text = line.strip();
        boolean prefixed = text.endsWith(":#") || text.endsWith(": #") || text.endsWith("| #");
        return text.equals("#") || prefixed && text.length() < 80;
    }

    private boolean readHeading(List<Token> tokens, String line) {
        BenchColumns columns = BenchColumns.in(tokens);
        if (columns != null) {
            if (!table.rows.isEmpty()) {
                begin();
            }
            table.columns = columns.names();
            rowReader.columns(columns);
            inDevices = false;
            return true;
        }
        boolean inPlace = line.contains("in-place");
        if (inPlace || line.contains("out-of-place")) {
            rowReader.onlyInPlace(!line.contains("out-of-place"));
            return true;
        }
        return line.contains("(elements)") || line.contains("(GB/s)");
    }

    private boolean readSettings(String line) {
        String version = NcclTestsWords.after(line, "nccl-tests version ");
        if (version == null) {
            version = NcclTestsWords.after(line, "ccl-tests: Version ");
            if (version == null) {
                version = NcclTestsWords.after(line, "cccl-tests: Version ");
            }
            if (version != null) {
                table.tool = "rccl-tests";
            }
        }
        if (version != null) {
            begin();
            table.testsVersion = version;
            table.ncclHeaders = NcclTestsWords.after(line, "nccl-headers=");
            table.ncclLibrary = NcclTestsWords.after(line, "nccl-library=");
            return true;
        }
        String started = NcclTestsWords.after(line, "Collective test starting: ");
        if (started != null) {
            begin();
            table.test = CollectiveName.ofProgram(started);
            return true;
        }
        if (line.contains("nThread ") && line.contains("nGpus ")) {
            begin();
            table.threads = Numbers.integer(NcclTestsWords.after(line, "nThread "));
            table.gpusPerThread = Numbers.integer(NcclTestsWords.after(line, "nGpus "));
            String checked = NcclTestsWords.after(line, "validation: ");
            table.validation = checked == null ? null : Boolean.valueOf(!checked.equals("0"));
            return true;
        }
        if (line.contains("Using devices")) {
            begin();
            inDevices = true;
            return true;
        }
        return false;
    }

    /** Rank 0 Group 0 Pid 1643 on vm device 0 [0000:00:06] NVIDIA H200 */
    private boolean readDevice(List<Token> tokens) {
        int rank = -1;
        int on = -1;
        for (int i = 0; i + 1 < tokens.size(); i++) {
            String word = tokens.get(i).text();
            if (word.equals("Rank") && Numbers.isInteger(tokens.get(i + 1).text())) {
                rank = i;
            } else if (word.equals("on") && rank >= 0) {
                on = i;
            } else if (word.equals("device") && on >= 0) {
                return addDevice(tokens, rank, on, i);
            }
        }
        if (inDevices && isEllipsis(tokens)) {
            table.devicesElided = true;
            return true;
        }
        return isEllipsis(tokens);
    }

    private boolean addDevice(List<Token> tokens, int rank, int on, int device) {
        Long number = Numbers.integer(tokens.get(rank + 1).text());
        if (number == null || number < 0) {
            return false;
        }
        StringBuilder name = new StringBuilder();
        for (int i = device + 3; i < tokens.size(); i++) {
            name.append(name.length() == 0 ? "" : " ").append(tokens.get(i).text());
        }
        if (table.devices.containsKey(number) && table.completed) {
            begin();
        }
        table.devices.putIfAbsent(number, name.toString());
        if (device > on + 1) {
            table.hosts.add(tokens.get(on + 1).text());
        }
        inDevices = true;
        return true;
    }

    private static boolean isEllipsis(List<Token> tokens) {
        String last = tokens.get(tokens.size() - 1).text();
        return last.equals("...")
                || last.equals("…")
                || last.equals("[...]")
                || last.endsWith(":...");
    }

    private void readOther(String line, List<Token> tokens) {
        for (Token token : tokens) {
            String named = CollectiveName.ofProgram(token.text());
            program = named == null ? program : named;
        }
        String version = NcclTestsWords.after(line, "NCCL version ");
        if (version != null) {
            table.ncclVersion = version;
            return;
        }
        version =
                line.contains("RCCL version")
                        ? NcclTestsWords.afterColon(line, "RCCL version")
                        : null;
        if (version != null && !version.isBlank()) {
            table.ncclVersion = Token.in(version).get(0).text();
            table.tool = "rccl-tests";
            return;
        }
        unparsed.add(Excerpt.of(line));
    }

    /** Starts a new run when the current one has rows or ended. */
    private void begin() {
        if (!table.rows.isEmpty() || table.completed) {
            close();
        }
    }

    private void close() {
        if (table.test == null) {
            table.test = program;
        }
        if (table.test == null) {
            table.test = CollectiveName.of(table);
        }
        if (!table.isEmpty() || !table.failures.isEmpty()) {
            tables.add(table);
        }
        BenchTable next = new BenchTable();
        next.tool = table.tool;
        table = next;
        inDevices = false;
    }
}
