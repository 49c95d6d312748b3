package io.gpuflow.cli;

import io.gpuflow.report.LiveDisplay;
import io.gpuflow.report.PlainDisplay;
import io.gpuflow.report.RunDisplay;
import io.gpuflow.report.Terminal;
import java.io.PrintStream;

/** Chooses how a run is shown while it goes on. */
final class Displays {
    private Displays() {}

    static RunDisplay of(Terminal terminal, PrintStream out) {
        return terminal.live()
                ? new LiveDisplay(out, terminal.style(), terminal.width())
                : new PlainDisplay(out);
    }
}
