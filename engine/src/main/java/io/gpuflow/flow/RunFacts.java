package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
                    facts.addAll(FactFile.read(inside(run, file), attempt.ended().factsHash()));
                }
            }
            facts.addAll(Experiments.tried(step.experiments()));
        }
        return facts;
    }

    /** A run may come from elsewhere: nothing outside of it is read, and no pipe or device. */
    private static Path inside(Path run, String file) throws IOException {
        Path path = run.resolve(file).normalize();
        if (!path.startsWith(run.normalize())
                || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no file of the run " + run);
        }
        return path;
    }

    /** Whether every step of the run did what it should; false also when it did not end. */
    public static boolean passed(Path run) throws IOException {
        Ledger ledger = Ledger.read(run.resolve(RunFolder.JOURNAL));
        return ledger.ended() != null
                && !ledger.ended().interrupted()
                && ledger.steps().stream().allMatch(s -> s.state() != null && s.state().lets());
    }
}
