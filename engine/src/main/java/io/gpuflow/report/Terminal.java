package io.gpuflow.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What standard output is joined to.
 *
 * @param live a terminal whose cursor can be moved
 * @param width columns for text that we wrap; 0 for no wrapping
 */
public record Terminal(boolean live, Style style, int width) {
    /** Used when nobody says how wide the terminal is. */
    private static final int USUAL_WIDTH = 80;

    private static final int NARROWEST = 40;
    private static final int WIDEST = 120;

    /** Set by the launcher, which can ask the terminal; not COLUMNS, which tools would see. */
    private static final String MEASURED = "gpuflow.columns";

    /** A file or a pipe. */
    public static final Terminal NONE = new Terminal(false, Style.PLAIN, 0);

    /**
     * Looks at file descriptor 1 and the environment. A file or a pipe is wrapped only where
     * COLUMNS asks for it, so that a search finds whole sentences.
     */
    public static Terminal ofOutput(Map<String, String> environment) {
        return of(isTerminal("/proc/self/fd/1"), environment);
    }

    static Terminal of(boolean terminal, Map<String, String> environment) {
        if (!terminal) {
            boolean wide = environment.containsKey("COLUMNS");
            return wide ? new Terminal(false, Style.PLAIN, width(environment)) : NONE;
        }
        String kind = environment.getOrDefault("TERM", "dumb");
        boolean live = !kind.equals("dumb") && !kind.isEmpty();
        boolean colour = live && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(live, colour ? Style.COLOURED : Style.PLAIN, width(environment));
    }

    /** Java's own console asks for input and output together; a run is often fed by a pipe. */
    private static boolean isTerminal(String descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of(descriptor)).toString();
            return device.startsWith("/dev/pts/")
                    || device.startsWith("/dev/tty")
                    || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** What the user says in COLUMNS, else what the launcher found. */
    private static int width(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", System.getProperty(MEASURED));
        try {
            int width = columns == null ? USUAL_WIDTH : Integer.parseInt(columns.strip());
            // A terminal that was never told its size says 0.
            return width <= 0 ? USUAL_WIDTH : Math.max(NARROWEST, Math.min(WIDEST, width));
        } catch (NumberFormatException e) {
            return USUAL_WIDTH;
        }
    }
}
