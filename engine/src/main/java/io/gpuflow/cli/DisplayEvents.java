package io.gpuflow.cli;

import io.gpuflow.flow.RunEvents;
import io.gpuflow.report.RunDisplay;

/** Shows what a run does. */
record DisplayEvents(RunDisplay display) implements RunEvents {
    @Override
    public void stepStarted(String step, String again) {
        display.stepStarted(step, again);
    }

    @Override
    public void attemptStarted(String step, String what) {
        display.attemptStarted(step, what);
    }

    @Override
    public void line(String step, String text) {
        display.line(step, text);
    }

    @Override
    public void experimentEnded(String step, String experiment, String outcome, String says) {
        display.experimentEnded(step, experiment, outcome, says);
    }

    @Override
    public void stepEnded(String step, String word, String reason, double seconds) {
        display.stepEnded(step, word, reason, seconds);
    }
}
