package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The facts that a stored run brought, as its last judgement saw them. */
public final class RunFacts {
    private RunFacts() {}

    /**
     * Facts of the last attempt of every step, and what its experiments showed.
     *
     * @param run the run's folder
     * @throws IOException also when a file is not the one that the run wrote
     */
    public static List<Observed> of(Path run) throws IOException {
        Ledger ledger = Ledger.read(run.resolve(RunFolder.JOURNAL));
        List<Observed> facts = new ArrayList<>();
        for (Ledger.StepLog step : ledger.steps()) {
            for (Ledger.Attempt attempt : Resume.lastAttempts(step)) {
                String file = attempt.ended().facts();
                if (file != null) {
                    facts.addAll(FactFile.read(run.resolve(file), attempt.ended().factsHash()));
                }
            }
            facts.addAll(Experiments.tried(step.experiments()));
        }
        return facts;
    }

    /** Whether every step of the run did what it should; false also when it did not end. */
    public static boolean passed(Path run) throws IOException {
        Ledger ledger = Ledger.read(run.resolve(RunFolder.JOURNAL));
        return ledger.ended() != null
                && !ledger.ended().interrupted()
                && ledger.steps().stream().allMatch(s -> s.state() != null && s.state().lets());
    }
}
