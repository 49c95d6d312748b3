package io.gpuflow.flow;

/** Told of what a run does, while it does it. Calls come from several threads, one at a time. */
public interface RunEvents {
    /**
     * A step's work begins.
     *
     * @param again why an earlier result is not reused, or null
     */
    void stepStarted(String step, String again);

    /** A further attempt begins: a retry, an experiment, another point of the matrix. */
    void attemptStarted(String step, String what);

    /** A tool of this step printed a line. */
    void line(String step, String text);

    void experimentEnded(String step, String experiment, String outcome, String says);

    /**
     * The step is over.
     *
     * @param word its state, or "interrupted", or in a dry run what it would do
     */
    void stepEnded(String step, String word, String reason, double seconds);

    /** Nobody listens. */
    RunEvents NONE =
            new RunEvents() {
                @Override
                public void stepStarted(String step, String again) {}

                @Override
                public void attemptStarted(String step, String what) {}

                @Override
                public void line(String step, String text) {}

                @Override
                public void experimentEnded(
                        String step, String experiment, String outcome, String says) {}

                @Override
                public void stepEnded(String step, String word, String reason, double seconds) {}
            };
}
