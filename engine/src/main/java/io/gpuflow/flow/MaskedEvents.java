package io.gpuflow.flow;

/** Keeps secrets off the display, and its calls one after the other. */
final class MaskedEvents implements RunEvents {
    private final RunEvents events;
    private final Secrets secrets;

    MaskedEvents(RunEvents events, Secrets secrets) {
        this.events = events;
        this.secrets = secrets;
    }

    @Override
    public synchronized void stepStarted(String step, String again) {
        events.stepStarted(step, secrets.mask(again));
    }

    @Override
    public synchronized void attemptStarted(String step, String what) {
        events.attemptStarted(step, secrets.mask(what));
    }

    @Override
    public synchronized void line(String step, String text) {
        events.line(step, secrets.mask(text));
    }

    @Override
    public synchronized void experimentEnded(
            String step, String experiment, String outcome, String says) {
        events.experimentEnded(step, experiment, outcome, secrets.mask(says));
    }

    @Override
    public synchronized void stepEnded(String step, String word, String reason, double seconds) {
        events.stepEnded(step, word, secrets.mask(reason), seconds);
    }
}
