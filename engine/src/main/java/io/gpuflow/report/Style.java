package io.gpuflow.report;

import java.util.Map;

/** Colours for what a person should see first; the only place that knows their codes. */
public final class Style {
    /** No colours: files, pipes, {@code NO_COLOR}, dumb terminals. */
    public static final Style PLAIN = new Style(false);

    public static final Style COLOURED = new Style(true);

    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String MAGENTA = "\u001b[35m";

    private static final Map<String, String> BY_WORD =
            Map.ofEntries(
                    Map.entry("passed", GREEN),
                    Map.entry("reused", GREEN),
                    Map.entry("confirmed", GREEN),
                    Map.entry("warned", YELLOW),
                    Map.entry("warn", YELLOW),
                    Map.entry("unknown", YELLOW),
                    Map.entry("inconclusive", YELLOW),
                    Map.entry("failed", RED),
                    Map.entry("fail", RED),
                    Map.entry("broken", MAGENTA),
                    Map.entry("interrupted", MAGENTA),
                    Map.entry("blocked", DIM),
                    Map.entry("skipped", DIM));

    private final boolean coloured;

    private Style(boolean coloured) {
        this.coloured = coloured;
    }

    /** A state, level or outcome in its colour; any other word as it is. */
    public String word(String word, String padded) {
        String colour = BY_WORD.get(word);
        return coloured && colour != null ? colour + padded + RESET : padded;
    }

    public String bold(String text) {
        return coloured ? BOLD + text + RESET : text;
    }

    public String dim(String text) {
        return coloured ? DIM + text + RESET : text;
    }
}
