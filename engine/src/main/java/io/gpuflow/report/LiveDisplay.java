package io.gpuflow.report;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * One live line a running step at the bottom of a terminal, with the time that has passed and what
 * its tool said last; what has ended scrolls up above them. Each picture is one write, so nothing
 * flickers; the terminal itself cuts lines at its edge, so its width may change at any time.
 */
public final class LiveDisplay implements RunDisplay {
    private static final long REDRAW_MILLIS = 100;
    private static final String ERASE_LINE = "\u001b[K";
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";
    private static final int LONGEST = 400;

    private static final class Running {
        final long begin;
        String doing = "";
        String line = "";

        Running(long begin) {
            this.begin = begin;
        }
    }

    private final PrintStream out;
    private final Style style;
    private final int width;
    private final LongSupplier nanos;
    private final Map<String, Running> running = new LinkedHashMap<>();
    private final Thread ticker;
    private int drawn;
    private boolean closed;

    /**
     * @param width columns of the terminal
     */
    public LiveDisplay(PrintStream out, Style style, int width) {
        this(out, style, width, System::nanoTime, true);
    }

    /**
     * @param ticking false in tests: then {@link #draw} is called by hand
     */
    LiveDisplay(PrintStream out, Style style, int width, LongSupplier nanos, boolean ticking) {
        this.out = out;
        this.style = style;
        this.width = width;
        this.nanos = nanos;
        this.ticker = new Thread(this::tick, "gpuflow-display");
        ticker.setDaemon(true);
        if (ticking) {
            ticker.start();
        }
    }

    private void tick() {
        try {
            while (true) {
                Thread.sleep(REDRAW_MILLIS);
                draw();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public synchronized void stepStarted(String step, String again) {
        running.put(step, new Running(nanos.getAsLong()));
        if (again != null) {
            String line = SafeText.line(step + " runs again: " + again);
            above("  " + style.dim(SafeText.cut(line, width - 2)));
        }
    }

    @Override
    public synchronized void attemptStarted(String step, String what) {
        Running now = running.get(step);
        if (now != null) {
            now.doing = SafeText.line(what);
            now.line = "";
        }
    }

    @Override
    public synchronized void line(String step, String text) {
        Running now = running.get(step);
        String line = SafeText.line(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
        if (now != null && !line.isEmpty()) {
            now.line = line;
        }
    }

    @Override
    public synchronized void experimentEnded(
            String step, String experiment, String outcome, String says) {
        String rest = SafeText.line(experiment + " on " + step + ": " + says);
        int room = width - outcome.length() - 3;
        above("  " + style.word(outcome, outcome) + " " + SafeText.cut(rest, room));
    }

    @Override
    public synchronized void stepEnded(String step, String word, String reason, double seconds) {
        running.remove(step);
        String time = seconds > 0 ? "  " + Elapsed.of(seconds) : "";
        String head = word + " " + step + time + "  ";
        int room = Math.max(20, width - Wrap.columns(head));
        above(
                style.word(word, word)
                        + " "
                        + style.bold(step)
                        + time
                        + "  "
                        + SafeText.cut(SafeText.line(reason), room));
    }

    /** Prints a line that stays, above the live ones; the recap has the whole of it. */
    private void above(String line) {
        StringBuilder picture = new StringBuilder();
        up(picture);
        picture.append(line).append(ERASE_LINE).append('\n');
        picture(picture);
    }

    synchronized void draw() {
        if (closed || (running.isEmpty() && drawn == 0)) {
            return;
        }
        StringBuilder picture = new StringBuilder();
        up(picture);
        picture(picture);
    }

    /** To the first live line. */
    private void up(StringBuilder picture) {
        picture.append('\r');
        if (drawn > 0) {
            picture.append("\u001b[").append(drawn).append('A');
        }
    }

    private void picture(StringBuilder picture) {
        int before = drawn;
        picture.append(NO_WRAP);
        for (Map.Entry<String, Running> step : running.entrySet()) {
            picture.append(line(step.getKey(), step.getValue())).append(ERASE_LINE).append('\n');
        }
        for (int i = running.size(); i < before; i++) {
            picture.append(ERASE_LINE).append('\n');
        }
        int surplus = before - running.size();
        if (surplus > 0) {
            picture.append("\u001b[").append(surplus).append('A');
        }
        picture.append(WRAP);
        drawn = running.size();
        out.print(picture);
        out.flush();
    }

    private String line(String step, Running now) {
        double seconds = (nanos.getAsLong() - now.begin) / 1e9;
        StringBuilder line = new StringBuilder("▸ ");
        line.append(style.bold(step)).append("  ").append(Elapsed.of(seconds));
        if (!now.doing.isEmpty()) {
            line.append("  ").append(now.doing);
        }
        if (!now.line.isEmpty()) {
            line.append("  ").append(style.dim(now.line));
        }
        return line.toString();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        running.clear();
        draw();
        closed = true;
        ticker.interrupt();
    }
}
