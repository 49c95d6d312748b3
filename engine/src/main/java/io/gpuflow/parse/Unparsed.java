package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/** Collects the lines that a parser did not understand. */
final class Unparsed {
    /** Kept of a text that is not the parser's own; the count of the rest is told. */
    private static final int MAX = 200;

    private Unparsed() {}

    /** Every line but the one told (from 1; 0 for none). */
    static List<String> of(List<String> lines, int read) {
        return of(lines, read, read);
    }

    /** Every line with text outside the range of lines (from 1, inclusive), legends left out. */
    static List<String> of(List<String> lines, int first, int last) {
        List<String> unparsed = new ArrayList<>();
        int more = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean read = i + 1 >= first && i + 1 <= last;
            if (read || line.isBlank() || isLegend(line.strip())) {
                continue;
            }
            if (unparsed.size() < MAX) {
                unparsed.add(Excerpt.of(line));
            } else {
                more++;
            }
        }
        if (more > 0) {
            unparsed.add("… and " + more + " more lines");
        }
        return unparsed;
    }

    private static boolean isLegend(String line) {
        if (line.startsWith("Legend") || line.startsWith("NIC Legend")) {
            return true;
        }
        int equals = line.indexOf('=');
        boolean label =
                equals > 0 && equals < 8 && line.substring(0, equals).strip().indexOf(' ') < 0;
        boolean nic = line.startsWith("NIC") && line.indexOf(": ") > 3 && line.indexOf(": ") < 8;
        return label || nic;
    }
}
