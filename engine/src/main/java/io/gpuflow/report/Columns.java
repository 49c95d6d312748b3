package io.gpuflow.report;

import java.util.List;

/** Lines up cells; a column that is empty everywhere takes no room. */
final class Columns {
    private Columns() {}

    static void append(StringBuilder text, List<String[]> rows) {
        int cells = rows.isEmpty() ? 0 : rows.get(0).length;
        int[] widths = new int[cells];
        for (String[] row : rows) {
            for (int i = 0; i < cells; i++) {
                widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells; i++) {
                if (widths[i] > 0) {
                    int length = row[i].codePointCount(0, row[i].length());
                    line.append(row[i]).append(" ".repeat(widths[i] - length));
                    line.append(row[i].endsWith("  ") ? "" : "  ");
                }
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }
}
