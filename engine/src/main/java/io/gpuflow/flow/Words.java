package io.gpuflow.flow;

import io.gpuflow.expr.Value;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How reasons are put in words: the same everywhere. */
final class Words {
    private static final int VALUES_SHOWN = 4;
    private static final int LONGEST_VALUE = 40;

    private Words() {}

    /** 1.5 s, 120 s, 10 min. */
    static String duration(Duration time) {
        return seconds(time.toMillis() / 1000.0);
    }

    static String seconds(double seconds) {
        if (seconds >= 300 && seconds % 60 == 0) {
            return Math.round(seconds / 60) + " min";
        }
        String text = String.format(Locale.ROOT, seconds < 10 ? "%.1f" : "%.0f", seconds);
        return text.replaceAll("\\.0$", "") + " s";
    }

    static String lastLine(String text) {
        int end = text.length();
        while (end > 0) {
            int start = text.lastIndexOf('\n', end - 1) + 1;
            String line = text.substring(start, end).strip();
            if (!line.isEmpty()) {
                return line;
            }
            end = start - 1;
        }
        return "";
    }

    static String shorten(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /** A few simple values in one line: {@code busbw 339, ranks 2}. */
    static String values(Map<String, Object> out) {
        return out.entrySet().stream()
                .filter(e -> simple(e.getValue()))
                .limit(VALUES_SHOWN)
                .map(e -> e.getKey() + " " + shorten(String.valueOf(e.getValue()), LONGEST_VALUE))
                .collect(Collectors.joining(", "));
    }

    private static boolean simple(Object value) {
        return value instanceof Number || value instanceof String || value instanceof Boolean;
    }

    /** The point of a matrix: {@code op all_reduce, gpus 2}. */
    static String coordinates(Map<String, Object> matrix) {
        return matrix.entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    static String unknown(Value value) {
        return value instanceof Value.Unknown unknown ? unknown.why() : "";
    }
}
