package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the steps of a run that failed printed and wrote. A workflow that has no step of its own to
 * read that leaves it to whoever diagnoses the run.
 */
final class FailedOutput {
    private FailedOutput() {}

    /**
     * Folders of the last attempts of the steps that failed, experiments left out: in these
     * something else was tried.
     *
     * @param facts of the run; when they tell of logs, these were read when it ran
     */
    static Set<String> folders(RunRecord run, List<Observed> facts) throws IOException {
        Set<String> folders = new HashSet<>();
        if (facts.stream().anyMatch(o -> o.fact() instanceof Incident)) {
            return folders;
        }
        for (Ledger.StepLog step : Ledger.read(run).steps()) {
            if (step.state() == State.FAILED || step.state() == State.BROKEN) {
                Resume.lastAttempts(step).stream()
                        .filter(a -> !a.ended().state().lets())
                        .forEach(a -> folders.add(a.started().folder()));
            }
        }
        return folders;
    }

    /** Whether a file, as evidence names it, lies in one of these folders and is no script. */
    static boolean isIn(Set<String> folders, String name) {
        // What was to be run may hold the very words that would tell of a failure.
        boolean program = name.endsWith("/call.json") || name.endsWith(".py");
        return !program && folders.stream().anyMatch(f -> name.contains("/" + f + "/"));
    }
}
