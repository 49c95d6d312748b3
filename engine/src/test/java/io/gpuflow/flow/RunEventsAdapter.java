package io.gpuflow.flow;

/** Listens to nothing; tests override what they want to hear. */
class RunEventsAdapter implements RunEvents {
    @Override
    public void stepStarted(String step, String again) {}

    @Override
    public void attemptStarted(String step, String what) {}

    @Override
    public void line(String step, String text) {}

    @Override
    public void experimentEnded(String step, String experiment, String outcome, String says) {}

    @Override
    public void stepEnded(String step, String word, String reason, double seconds) {}
}
