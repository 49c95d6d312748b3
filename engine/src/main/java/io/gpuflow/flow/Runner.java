package io.gpuflow.flow;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Runs a workflow: stage after stage, in a stage side by side, until the end or an interruption.
 */
public final class Runner implements AutoCloseable {
    /** Read steps mostly wait for tools; more at a time would only make the display jump. */
    private static final int SIDE_BY_SIDE = 4;

    private final RunState run;
    private final Journal journal;
    private final Keys keys;
    private final Set<Thread> working = ConcurrentHashMap.newKeySet();
    private final long begin = System.nanoTime();
    private volatile RuntimeException stopped;

    private Runner(RunState run, Journal journal) {
        this.run = run;
        this.journal = journal;
        this.keys = new Keys(run);
    }

    /**
     * Begins a run in a folder, or goes on with the one that is there.
     *
     * @throws IOException when the journal can't be read or written
     */
    public static Runner open(RunSetup setup, RunFolder folder) throws IOException {
        Ledger ledger =
                java.nio.file.Files.exists(folder.journal())
                        ? Ledger.read(folder.journal())
                        : new Ledger();
        Journal journal = Journal.open(folder.journal(), setup.clock(), setup.secrets());
        RunState run = new RunState(setup, folder, journal, ledger);
        return new Runner(run, journal);
    }

    /**
     * Runs all steps that can run.
     *
     * @throws Journal.Lost when the disk does not take the journal any more
     */
    public Ledger run() {
        RunSetup setup = run.setup();
        run.record(
                new Entry.RunStarted(
                        setup.version(),
                        setup.workflow().file(),
                        Inputs.shown(setup.inputs()),
                        setup.machine().name(),
                        setup.replay(),
                        setup.replay() ? setup.recording().toString() : null,
                        setup.dryRun(),
                        setup.workflow().steps().stream().map(Step::id).toList(),
                        ProcessHandle.current().pid()));
        for (Order.Stage stage : run.order().stages()) {
            sideBySide(stage.steps());
            if (stopped != null) {
                throw stopped;
            }
            if (run.interrupted().get()) {
                break;
            }
        }
        judgeAll();
        return run.ledger();
    }

    /**
     * Writes the last line of the journal.
     *
     * @param exit the exit code, or null after an interruption
     */
    public void ended(Integer exit) {
        run.record(
                new Entry.RunEnded(
                        exit, run.interrupted().get(), (System.nanoTime() - begin) / 1e9));
    }

    /** Ends what runs, as interrupted, and begins nothing more; {@link #run} then returns. */
    public void interrupt() {
        run.interrupted().set(true);
        working.forEach(Thread::interrupt);
    }

    public boolean interrupted() {
        return run.interrupted().get();
    }

    private void sideBySide(List<Step> steps) {
        Map<String, Thread> threads = new HashMap<>();
        Semaphore slots = new Semaphore(SIDE_BY_SIDE);
        List<Thread> started = new ArrayList<>();
        for (Step step : steps) {
            List<Thread> before = new ArrayList<>();
            for (String other : Order.waitsFor(step)) {
                if (threads.containsKey(other)) {
                    before.add(threads.get(other));
                }
            }
            Thread thread = new Thread(() -> work(step, before, slots), "gpuflow-" + step.id());
            threads.put(step.id(), thread);
            started.add(thread);
        }
        started.forEach(working::add);
        if (run.interrupted().get()) {
            return;
        }
        started.forEach(Thread::start);
        for (Thread thread : started) {
            join(thread);
            working.remove(thread);
        }
    }

    private void work(Step step, List<Thread> before, Semaphore slots) {
        try {
            for (Thread other : before) {
                other.join();
            }
            slots.acquire();
            try {
                step(step);
            } finally {
                slots.release();
            }
        } catch (InterruptedException e) {
            // The run was interrupted before this step began.
        } catch (RuntimeException e) {
            stopped = stopped == null ? e : stopped;
            interrupt();
        }
    }

    private void step(Step step) {
        long from = System.nanoTime();
        if (run.interrupted().get()) {
            return;
        }
        try {
            new StepRun(run, keys, step).run();
        } catch (InterruptedException e) {
            double seconds = (System.nanoTime() - from) / 1e9;
            run.record(new Entry.StepInterrupted(step.id(), seconds));
            run.events().stepEnded(step.id(), "interrupted", "the run was interrupted", seconds);
        }
    }

    /** Waits for a thread even when this one is interrupted: its processes must be gone first. */
    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The judgement that the recap shows: all facts, all areas that any step checked. */
    private void judgeAll() {
        Set<String> areas = new LinkedHashSet<>();
        for (Step step : run.setup().workflow().steps()) {
            Ledger.StepLog log = run.ledger().of(step.id());
            if (log != null && log.judgement() != null) {
                areas.addAll(step.check());
            }
        }
        if (areas.isEmpty()) {
            return;
        }
        List<Observed> facts = run.results().allFacts(run.setup().workflow());
        Judgement judgement = run.judge(facts, List.copyOf(areas));
        run.record(new Entry.Judged(null, List.copyOf(areas), judgement));
    }

    @Override
    public void close() throws IOException {
        journal.close();
        run.folder().close();
    }
}
