package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.tool.OutputLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs an action on a thread of its own, so that nothing it does can hold up the run. */
final class GuardedAction {
    /**
     * Time on top of the step's limit that an action gets to save evidence and end its processes
     * before it is cut off itself.
     */
    private static final Duration AFTERWARDS = Duration.ofSeconds(90);

    /** Time an action gets to end when it was told to. */
    private static final Duration ENDING = Duration.ofSeconds(15);

    /** Where in its folder an attempt leaves what its commands printed. */
    static final String CALLS = "calls";

    private static final int LONGEST_LINE = 200;

    private final RunState run;
    private final Step step;
    private final Path folder;
    private final OutputLines lines;
    private final WatchedTools tools;

    GuardedAction(RunState run, Step step, Path folder) {
        this.run = run;
        this.step = step;
        this.folder = folder;
        this.lines = (stderr, text) -> run.events().line(step.id(), text);
        this.tools =
                new WatchedTools(run.setup().machine().withRecords(folder.resolve(CALLS)), lines);
    }

    /** What came of it, whatever it does: it may hang or throw. */
    Action.Outcome outcome(Prepared prepared) throws InterruptedException {
        Action.Context context =
                new Action.Context(
                        step.id(),
                        tools,
                        prepared.with(),
                        prepared.env(),
                        run.results().factsFor(step),
                        folder,
                        step.timeout(),
                        lines);
        FutureTask<Action.Outcome> task = new FutureTask<>(() -> action(prepared).run(context));
        Thread thread = new Thread(task, "gpuflow-step-" + step.id());
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(step.timeout().plus(AFTERWARDS).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            end(thread);
            return timedOut();
        } catch (InterruptedException e) {
            end(thread);
            throw e;
        } catch (ExecutionException e) {
            return threw(e.getCause());
        }
    }

    private Action action(Prepared prepared) {
        if (step.work() instanceof Work.Uses uses) {
            return run.setup().actions().apply(uses.action());
        }
        Work.Reading reading =
                step.work() instanceof Work.Cmd cmd
                        ? cmd.reading()
                        : ((Work.Sh) step.work()).reading();
        boolean parsed = reading != null && reading.parse() != null;
        return new CommandAction(
                prepared.argv(),
                parsed ? run.setup().parsers().apply(reading.parse()) : null,
                reading == null ? null : reading.extract());
    }

    private static void end(Thread thread) {
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(ENDING.toMillis());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Action.Outcome timedOut() {
        String reason = "timed out after " + Words.duration(step.timeout());
        if (!tools.tool().isEmpty()) {
            reason += ": " + tools.tool();
        }
        if (!tools.lastLine().isEmpty()) {
            reason += "; last line: " + Words.shorten(tools.lastLine(), LONGEST_LINE);
        }
        ToolFailure failure =
                new ToolFailure(
                        step.id(), tools.tool(), ToolFailures.TIMEOUT, null, tools.lastLine());
        Observed fact = new Observed(failure, Source.of("step " + step.id()));
        return new Action.Outcome(State.BROKEN, reason, List.of(fact), Map.of());
    }

    private Action.Outcome threw(Throwable cause) throws InterruptedException {
        if (cause instanceof InterruptedException) {
            throw new InterruptedException();
        }
        Path file = folder.resolve("internal-error.txt");
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            cause.printStackTrace(out);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        String reason = "gpuflow itself failed: " + cause + " (" + file + "); please report it";
        return new Action.Outcome(State.BROKEN, reason, List.of(), Map.of());
    }
}
