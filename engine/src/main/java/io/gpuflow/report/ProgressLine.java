package io.gpuflow.report;

import java.io.PrintStream;

/** One line on a terminal that tells what is going on and is gone afterwards. */
public final class ProgressLine implements AutoCloseable {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final Terminal terminal;

    /** Shows nothing when the terminal is not live. */
    public ProgressLine(PrintStream out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public synchronized void show(String text) {
        if (terminal.live()) {
            String line = SafeText.line(text);
            int room = Math.max(10, terminal.width() - 2);
            out.print(CLEAR + (line.length() <= room ? line : line.substring(0, room - 1) + "…"));
            out.flush();
        }
    }

    @Override
    public synchronized void close() {
        if (terminal.live()) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
