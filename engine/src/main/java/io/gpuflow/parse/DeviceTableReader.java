package io.gpuflow.parse;

import io.gpuflow.parse.DeviceTable.Row;
import io.gpuflow.parse.DeviceTable.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a device table in lines that may have prefixes, wrapped rows, comments at their ends, tabs
 * turned into blanks, or markdown bars instead of either.
 */
final class DeviceTableReader {
    /** Foreign lines in a row that are tolerated inside a table, such as another tool's output. */
    private static final int MAX_NOISE = 3;

    /** Lines over which a narrow terminal may spread the labels. */
    private static final int MAX_HEADING_LINES = 8;

    /** More devices than any machine has. */
    private static final int MAX_ROWS = 512;

    private final List<String> lines;
    private final Words words;

    DeviceTableReader(List<String> lines, Words words) {
        this.lines = Wrapped.joined(lines, words);
        this.words = words;
    }

    /** The first table at or after a line (from 0), or null. */
    DeviceTable read(int from) {
        for (int i = from; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank()) {
                continue;
            }
            Heading heading = Heading.in(line, words);
            if (heading != null) {
                DeviceTable table = below(heading, i);
                if (table != null) {
                    return table;
                }
            } else if (rowIn(line, null) != null) {
                DeviceTable table = withoutHeader(i);
                if (table != null) {
                    return table;
                }
            }
        }
        return null;
    }

    /**
     * The first table at or after a line that tells more than that devices are themselves; if there
     * is none, the first table. Another tool's table may stand before, with words that are not
     * ours.
     */
    DeviceTable readTelling(int from) {
        DeviceTable first = null;
        DeviceTable table = read(from);
        while (table != null && !table.tellsPairs()) {
            first = first == null ? table : first;
            table = read(table.lastLine());
        }
        return table == null ? first : table;
    }

    private DeviceTable below(Heading heading, int at) {
        int next = at + 1;
        while (next < lines.size()
                && next - at < MAX_HEADING_LINES
                && rowIn(lines.get(next), heading) == null) {
            Heading more = heading.continuedBy(lines.get(next), words);
            if (more == null) {
                break;
            }
            heading = more;
            next++;
        }
        List<Row> rows = new ArrayList<>();
        int last = readRows(next, heading, rows);
        if (rows.isEmpty()) {
            return null;
        }
        return new DeviceTable(heading.columns(), heading.extras(), rows, at + 1, last + 1);
    }

    /** Rows without the line of labels above: the rows' own labels are the columns. */
    private DeviceTable withoutHeader(int at) {
        List<Row> rows = new ArrayList<>();
        int last = readRows(at, null, rows);
        List<String> columns = new ArrayList<>();
        for (Row row : rows) {
            int self = row.cells().indexOf("X");
            if (self != columns.size() || columns.contains(row.device())) {
                return null;
            }
            columns.add(row.device());
        }
        return new DeviceTable(columns, List.of(), rows, 0, last + 1);
    }

    /** Adds the rows at or after a line and returns the index of the last one. */
    private int readRows(int from, Heading heading, List<Row> rows) {
        int last = from - 1;
        int noise = 0;
        for (int i = from; i < lines.size() && noise <= MAX_NOISE && rows.size() < MAX_ROWS; i++) {
            String line = lines.get(i);
            if (line.isBlank() || isRule(line)) {
                continue;
            }
            Row row = rowIn(line, heading);
            if (row == null) {
                if (Heading.in(line, words) != null || line.strip().startsWith("Legend")) {
                    break;
                }
                noise++;
                continue;
            }
            if (has(rows, row.device())) {
                break;
            }
            noise = 0;
            Row whole = i + 1 < lines.size() ? joined(row, lines.get(i + 1), line, heading) : null;
            if (whole != null) {
                i++;
            }
            row = whole == null ? row : whole;
            rows.add(new Row(row.device(), row.cells(), row.extras(), i + 1));
            last = i;
        }
        return last;
    }

    /** A row whose end was wrapped onto the next line, or null. */
    private Row joined(Row row, String next, String line, Heading heading) {
        if (heading == null || heading.piped() || row.cells().size() >= heading.columns().size()) {
            return null;
        }
        List<Token> tokens = Token.in(next);
        if (tokens.isEmpty()
                || !words.isCell(tokens.get(0).text())
                || rowIn(next, heading) != null) {
            return null;
        }
        return rowIn(line + " " + next, heading);
    }

    private Row rowIn(String line, Heading heading) {
        if (heading != null && heading.piped()) {
            return heading.pipedRow(line, words);
        }
        List<Token> tokens = Token.in(line);
        for (int i = 0; i + 1 < tokens.size() && i < 16; i++) {
            String label = tokens.get(i).text();
            boolean device =
                    heading == null
                            ? words.isGpu(label) || i == 0
                            : heading.names(label) || NicLegend.isNic(label);
            if ((device || words.isGpu(label)) && words.isCell(tokens.get(i + 1).text())) {
                return rowFrom(line, tokens, i, heading);
            }
        }
        return null;
    }

    private Row rowFrom(String line, List<Token> tokens, int at, Heading heading) {
        List<String> cells = new ArrayList<>();
        int limit = heading == null ? Integer.MAX_VALUE : heading.columns().size();
        int i = at + 1;
        while (i < tokens.size() && cells.size() < limit && words.isCell(tokens.get(i).text())) {
            cells.add(tokens.get(i).text());
            i++;
        }
        List<String> extras =
                heading == null || cells.size() < limit
                        ? List.of()
                        : Affinity.in(
                                line,
                                tokens.subList(i, tokens.size()),
                                tokens.get(i - 1).end(),
                                heading);
        return new Row(tokens.get(at).text(), cells, extras, 0);
    }

    private static boolean has(List<Row> rows, String device) {
        for (Row row : rows) {
            if (row.device().equals(device)) {
                return true;
            }
        }
        return false;
    }

    /** A line drawn with signs only, such as the one below a markdown heading. */
    private static boolean isRule(String line) {
        for (int i = 0; i < line.length(); i++) {
            if ("|+-=:_ \t".indexOf(line.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }
}
