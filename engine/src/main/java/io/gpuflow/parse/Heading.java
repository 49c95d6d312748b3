package io.gpuflow.parse;

import io.gpuflow.parse.DeviceTable.Row;
import io.gpuflow.parse.DeviceTable.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The line of column labels above a device table.
 *
 * @param columns device labels
 * @param extras headings after (or, in a table made by hand, before) the devices
 * @param starts where each extra begins in the line; in a table with bars, its field
 * @param fields in a table with bars, the field of each column; else null
 */
record Heading(
        List<String> columns, List<String> extras, List<Integer> starts, List<Integer> fields) {

    /** More devices than any machine has. */
    private static final int MAX_COLUMNS = 512;

    boolean piped() {
        return fields != null;
    }

    boolean names(String label) {
        return columns.contains(label);
    }

    static Heading in(String line, Words words) {
        return isPiped(line) ? piped(line, words) : plain(line, words, true);
    }

    /** This heading with the labels of a wrapped second line, or null. */
    Heading continuedBy(String line, Words words) {
        if (piped() || line.isBlank()) {
            return null;
        }
        Heading more = plain(line, words, false);
        if (more == null || !extras.isEmpty() && !more.columns.isEmpty()) {
            return null;
        }
        List<String> allColumns = new ArrayList<>(columns);
        for (String column : more.columns) {
            if (!allColumns.contains(column)) {
                allColumns.add(column);
            }
        }
        List<String> allExtras = new ArrayList<>(extras);
        allExtras.addAll(more.extras);
        List<Integer> allStarts = new ArrayList<>(starts);
        allStarts.addAll(more.starts);
        return new Heading(allColumns, allExtras, allStarts, null);
    }

    private static Heading plain(String line, Words words, boolean first) {
        List<Token> tokens = Token.in(line);
        int i = 0;
        while (first && i < tokens.size() && !words.isGpu(tokens.get(i).text())) {
            i++;
        }
        List<String> columns = new ArrayList<>();
        List<String> extras = new ArrayList<>();
        List<Integer> starts = new ArrayList<>();
        while (i < tokens.size()) {
            String word = tokens.get(i).text();
            String extra = words.extra(tokens, i);
            if (Words.CUT.equals(extra)) {
                break;
            }
            if (extra != null) {
                extras.add(extra);
                starts.add(tokens.get(i).start());
                i += Token.in(extra).size();
            } else if (extras.isEmpty() && DeviceTable.isEllipsis(word)) {
                columns.add(word + columns.size());
                i++;
            } else if (extras.isEmpty() && isLabel(word) && !words.isCell(word)) {
                if (columns.contains(word) || columns.size() >= MAX_COLUMNS) {
                    return null;
                }
                columns.add(word);
                i++;
            } else if (word.startsWith("<") || word.startsWith("#")) {
                break;
            } else {
                return null;
            }
        }
        boolean any = first ? !columns.isEmpty() : !columns.isEmpty() || !extras.isEmpty();
        return any ? new Heading(columns, extras, starts, null) : null;
    }

    private static boolean isLabel(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (!Character.isLetterOrDigit(c) && "_-.:/".indexOf(c) < 0) {
                return false;
            }
        }
        return word.charAt(word.length() - 1) != ':' && word.charAt(word.length() - 1) != '.';
    }

    private static boolean isPiped(String line) {
        int first = bar(line, 0);
        return first >= 0 && bar(line, first + 1) >= 0;
    }

    private static int bar(String line, int from) {
        for (int i = from; i < line.length(); i++) {
            if (line.charAt(i) == '|' || line.charAt(i) == '\u2502') {
                return i;
            }
        }
        return -1;
    }

    private static List<String> fields(String line) {
        String[] parts = line.strip().split("[|\u2502]", -1);
        List<String> fields = new ArrayList<>();
        for (String part : parts) {
            fields.add(part.replace("`", "").replace("**", "").strip());
        }
        if (fields.get(0).isEmpty()) {
            fields.remove(0);
        }
        if (!fields.isEmpty() && fields.get(fields.size() - 1).isEmpty()) {
            fields.remove(fields.size() - 1);
        }
        return fields;
    }

    private static Heading piped(String line, Words words) {
        List<String> fields = fields(line);
        List<String> columns = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        List<String> extras = new ArrayList<>();
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i);
            String extra = field.isEmpty() ? null : words.extra(Token.in(field), 0);
            if (extra != null) {
                extras.add(extra);
                starts.add(i);
            } else if (words.isGpu(field)
                    || !columns.isEmpty() && !field.isEmpty() && isLabel(field)) {
                columns.add(field);
                places.add(i);
            } else if (words.isCell(field)) {
                return null;
            }
        }
        boolean plausible = !columns.isEmpty() && columns.size() <= MAX_COLUMNS;
        return plausible ? new Heading(columns, extras, starts, places) : null;
    }

    Row pipedRow(String line, Words words) {
        if (!isPiped(line)) {
            return null;
        }
        List<String> values = fields(line);
        int label = -1;
        for (int i = 0; i < values.size() && label < 0; i++) {
            label = names(values.get(i)) || words.isGpu(values.get(i)) ? i : -1;
        }
        if (label < 0) {
            return null;
        }
        // A heading whose first field is missing stands one field to the left of its rows.
        int shift = label >= fields.get(0) ? 1 : 0;
        String[] cells = new String[columns.size()];
        for (int c = 0; c < cells.length; c++) {
            int at = fields.get(c) + shift;
            String value = at < values.size() ? values.get(at) : "";
            cells[c] = words.isCell(value) ? value : null;
        }
        String[] more = new String[extras.size()];
        for (int e = 0; e < more.length; e++) {
            int at = starts.get(e) + (starts.get(e) > fields.get(0) ? shift : 0);
            String value = at < values.size() ? values.get(at) : "";
            more[e] = Affinity.isValue(value) ? value : null;
        }
        return new Row(values.get(label), Arrays.asList(cells), Arrays.asList(more), 0);
    }
}
