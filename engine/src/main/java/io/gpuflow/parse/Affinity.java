package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The affinity columns at the end of a row of nvidia-smi topo -m. Any of them may be empty, and
 * their values stand below their headings only by chance once tabs have become blanks.
 */
final class Affinity {
    private Affinity() {}

    /** A list of CPUs or NUMA nodes, or N/A. */
    static boolean isValue(String word) {
        if (word.equals("N/A")) {
            return true;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if ((c < '0' || c > '9') && c != '-' && c != ',') {
                return false;
            }
        }
        return !word.isEmpty() && word.charAt(0) >= '0' && word.charAt(0) <= '9';
    }

    /**
     * The values of a row, aligned with the heading's extras; null for an empty cell.
     *
     * @param tail the words after the last device cell, which ends at {@code end}
     */
    static List<String> in(String line, List<Token> tail, int end, Heading heading) {
        int count = heading.extras().size();
        List<Token> values = new ArrayList<>();
        for (Token token : tail) {
            if (!isValue(token.text()) || values.size() == count) {
                break;
            }
            values.add(token);
        }
        String[] cells = new String[count];
        if (values.size() == count) {
            for (int i = 0; i < count; i++) {
                cells[i] = values.get(i).text();
            }
        } else if (!values.isEmpty()) {
            if (line.indexOf('\t', end) >= 0) {
                byTabs(line.substring(end), cells);
            } else {
                byPlace(values, end, heading, cells);
            }
        }
        return Arrays.asList(cells);
    }

    /** As the tool prints it: a tab before each value, and a second one before GPU NUMA ID. */
    private static void byTabs(String tail, String[] cells) {
        String[] fields = tail.split("\t", -1);
        int field = 1;
        for (int i = 0; i < cells.length && field < fields.length; i++) {
            String value = fields[field++].strip();
            if (i == 2 && value.isEmpty() && field < fields.length) {
                value = fields[field++].strip();
            }
            List<Token> words = Token.in(value);
            String first = words.isEmpty() ? "" : words.get(0).text();
            cells[i] = isValue(first) ? first : null;
        }
    }

    /**
     * Tabs turned into blanks: a first value that stands beyond the next tab stop is not the first
     * cell.
     */
    private static void byPlace(List<Token> values, int end, Heading heading, String[] cells) {
        int stop = (end / 8 + 1) * 8;
        int cell = cells.length > 1 && values.get(0).start() > stop ? 1 : 0;
        for (int i = 0; i < values.size(); i++) {
            boolean last = i == values.size() - 1;
            String value = values.get(i).text();
            if (last && value.equals("N/A") && cells.length == 3) {
                cell = 2;
            }
            if (cell < cells.length) {
                cells[cell++] = value;
            }
        }
    }
}
