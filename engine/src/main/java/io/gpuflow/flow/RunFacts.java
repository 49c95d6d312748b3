package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
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
        return of(RunRecord.of(run));
    }

    /** Likewise of a run that is kept in its folder or in a bundle. */
    public static List<Observed> of(RunRecord run) throws IOException {
        Ledger ledger = Ledger.read(run);
        List<Observed> facts = new ArrayList<>();
        for (Ledger.StepLog step : ledger.steps()) {
            for (Ledger.Attempt attempt : Resume.lastAttempts(step)) {
                String file = attempt.ended().facts();
                if (file != null) {
                    byte[] content = run.read(file, FactFile.MAX_SIZE);
                    String name = run.path().resolve(file).toString();
                    for (Observed o : FactFile.read(name, content, attempt.ended().factsHash())) {
                        facts.add(located(o, run));
                    }
                }
            }
            facts.addAll(Experiments.tried(step.experiments()));
        }
        return facts;
    }

    private static Observed located(Observed o, RunRecord run) {
        Source s = o.source();
        String place = run.located(s.text());
        return place.equals(s.text())
                ? o
                : new Observed(o.fact(), new Source(place, s.line(), s.excerpt()));
    }

    /** Whether every step of the run did what it should; false also when it did not end. */
    public static boolean passed(RunRecord run) throws IOException {
        Ledger ledger = Ledger.read(run);
        return ledger.ended() != null
                && !ledger.ended().interrupted()
                && ledger.steps().stream().allMatch(s -> s.state() != null && s.state().lets());
    }
}
