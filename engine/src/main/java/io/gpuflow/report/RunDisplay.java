package io.gpuflow.report;

/** Shows a run while it goes on. Calls come one at a time. */
public interface RunDisplay extends AutoCloseable {
    /**
     * @param again why an earlier result is not reused, or null
     */
    void stepStarted(String step, String again);

    void attemptStarted(String step, String what);

    /** A tool printed a line. */
    void line(String step, String text);

    void experimentEnded(String step, String experiment, String outcome, String says);

    void stepEnded(String step, String word, String reason, double seconds);

    /** Leaves the terminal as it was. */
    @Override
    void close();
}
