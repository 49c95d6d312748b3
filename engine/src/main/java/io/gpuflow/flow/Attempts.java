package io.gpuflow.flow;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.tool.MaskedCopy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Runs the action of a step, again while its {@code retry:} says so. Each attempt has a folder and
 * an end in the journal, whatever the action does.
 */
final class Attempts {
    /** Variables that change what a collective does; a rule may want to know who set them. */
    static final Pattern TELLING =
            Pattern.compile(
                    "(NCCL|RCCL|TORCH|PYTORCH|CUDA|HIP|ROCR|HSA|GPU|GLOO|UCX|OMP|MASTER)_.*");

    /**
     * Why an attempt is made.
     *
     * @param experiment its name, or null for the step as it stands
     * @param changed false when an experiment runs the step as it stands once more
     */
    record Purpose(String experiment, boolean changed) {
        static final Purpose STEP = new Purpose(null, false);

        String label() {
            return experiment == null || changed ? experiment : "without-" + experiment;
        }
    }

    private final RunState run;

    Attempts(RunState run) {
        this.run = run;
    }

    /** Runs it as often as its retry allows; the last outcome counts. */
    Action.Outcome withRetries(Step step, Prepared prepared) throws InterruptedException {
        Retry retry = step.retry();
        for (int further = 0; ; further++) {
            Action.Outcome outcome = once(step, prepared, Purpose.STEP);
            String failure = ToolFailures.kind(outcome.facts());
            if (further >= retry.times() || !isReason(retry, failure)) {
                return outcome;
            }
            run.events().attemptStarted(step.id(), "again after " + failure);
            if (!run.setup().replay()) {
                Thread.sleep(retry.pause().toMillis());
            }
        }
    }

    private static boolean isReason(Retry retry, String failure) {
        if (failure == null) {
            return false;
        }
        return failure.equals(ToolFailures.TIMEOUT)
                ? retry.afterTimeout()
                : retry.exits().stream().anyMatch(exit -> failure.equals("exit " + exit));
    }

    /** One attempt. */
    Action.Outcome once(Step step, Prepared prepared, Purpose purpose) throws InterruptedException {
        int number = run.ledger().nextAttempt(step.id());
        String name = RunFolder.attemptName(step.id(), number, prepared.matrix(), purpose.label());
        Path folder = makeFolder(name);
        run.record(
                new Entry.AttemptStarted(
                        step.id(),
                        number,
                        prepared.matrix(),
                        purpose.experiment(),
                        purpose.changed(),
                        name));
        long begin = System.nanoTime();
        long started = System.currentTimeMillis();
        Action.Outcome outcome = new GuardedAction(run, step, folder).outcome(prepared);
        if (run.interrupted().get()) {
            throw new InterruptedException();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        List<String> notes = new ArrayList<>(keep(step, prepared, folder, started));
        maskWhatToolsWrote(folder, notes);
        List<Observed> facts = new ArrayList<>(environment(step, prepared));
        facts.addAll(outcome.facts());
        String file = name + ".facts.jsonl";
        String hash = writeFacts(file, facts);
        run.record(
                new Entry.AttemptEnded(
                        step.id(),
                        number,
                        outcome.state(),
                        outcome.reason(),
                        ToolFailures.kind(outcome.facts()),
                        seconds,
                        file,
                        hash,
                        Outs.stored(outcome.out()),
                        notes));
        return new Action.Outcome(outcome.state(), outcome.reason(), facts, outcome.out());
    }

    /** Built-in steps write into the attempt's folder anyway; commands into the caller's. */
    private List<String> keep(Step step, Prepared prepared, Path folder, long since) {
        if (step.keep().isEmpty() || step.work() instanceof Work.Uses || run.setup().replay()) {
            return List.of();
        }
        Path here = Path.of("").toAbsolutePath();
        return Kept.copy(prepared.keep(), here, folder, since, secrets());
    }

    /** What they print is masked as it comes; what they write into the folder only now. */
    private void maskWhatToolsWrote(Path folder, List<String> notes) {
        try {
            MaskedCopy.inPlace(folder, GuardedAction.CALLS, secrets());
        } catch (IOException e) {
            notes.add("secrets may stand in " + folder + ": " + e.getMessage());
        }
    }

    private Collection<String> secrets() {
        return run.setup().secrets().values();
    }

    private Path makeFolder(String name) {
        try {
            return run.folder().makeFolder(name);
        } catch (IOException e) {
            throw new Journal.Lost(run.folder().path().resolve(name), e);
        }
    }

    private String writeFacts(String name, List<Observed> facts) {
        Path file = run.folder().path().resolve(name);
        try {
            return FactFile.write(file, facts, run.setup().secrets());
        } catch (IOException e) {
            throw new Journal.Lost(file, e);
        }
    }

    /** What the step itself sets is a fact like what the probe found in the environment. */
    private static List<Observed> environment(Step step, Prepared prepared) {
        List<Observed> facts = new ArrayList<>();
        for (Map.Entry<String, String> variable : prepared.env().entrySet()) {
            if (variable.getValue() != null && TELLING.matcher(variable.getKey()).matches()) {
                EnvVar fact =
                        new EnvVar(variable.getKey(), variable.getValue(), "step " + step.id());
                facts.add(new Observed(fact, new Source(step.at().file(), step.at().line(), "")));
            }
        }
        return facts;
    }
}
