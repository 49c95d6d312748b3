package io.gpuflow.flow;

import io.gpuflow.facts.Judgement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run's journal adds up to: each step with its attempts, experiments and judgement. The same
 * whether it is kept while the run goes on or read from disk later.
 */
public final class Ledger {
    /** One attempt; {@code ended} is null while it runs, and for ever when we died meanwhile. */
    public record Attempt(Entry.AttemptStarted started, Entry.AttemptEnded ended) {}

    /** One step as far as it is known. */
    public static final class StepLog {
        private final String id;
        private StepKey key;
        private final List<Attempt> attempts = new ArrayList<>();
        private final List<Entry.ExperimentEnded> experiments = new ArrayList<>();
        private Judgement judgement;
        private Entry.StepPlanned planned;
        private State state;
        private String reason;
        private double seconds;
        private boolean interrupted;
        private boolean running;
        private boolean earlier;
        private Instant ended;

        StepLog(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }

        /** Null for a step that never began. */
        public StepKey key() {
            return key;
        }

        /** All attempts since the step last began, oldest first, experiments included. */
        public List<Attempt> attempts() {
            return Collections.unmodifiableList(attempts);
        }

        public List<Entry.ExperimentEnded> experiments() {
            return Collections.unmodifiableList(experiments);
        }

        /** What it would do, after a dry run; else null. */
        public Entry.StepPlanned planned() {
            return planned;
        }

        /** Null when no rules were asked. */
        public Judgement judgement() {
            return judgement;
        }

        /** Null until the step ended. */
        public State state() {
            return state;
        }

        public String reason() {
            return reason;
        }

        public double seconds() {
            return seconds;
        }

        public boolean interrupted() {
            return interrupted;
        }

        /** True when it began and nothing says how it ended. */
        public boolean running() {
            return running;
        }

        public Instant ended() {
            return ended;
        }

        /** True when it was last touched before the run was last taken up. */
        public boolean earlier() {
            return earlier;
        }
    }

    private final Map<String, StepLog> steps = new LinkedHashMap<>();
    private final Map<String, Integer> folders = new LinkedHashMap<>();
    private Entry.RunStarted started;
    private Instant startedAt;
    private Entry.RunEnded ended;
    private Judgement judgement;
    private List<String> problems = List.of();

    /** Reads the ledger of a stored run. */
    public static Ledger read(Path journal) throws java.io.IOException {
        return of(Journal.read(journal));
    }

    /** What the journal of a stored run adds up to, wherever it is kept. */
    public static Ledger read(RunRecord run) throws java.io.IOException {
        byte[] journal = run.read(RunFolder.JOURNAL, Journal.MAX_SIZE);
        return of(Journal.read(run.path().resolve(RunFolder.JOURNAL).toString(), journal));
    }

    private static Ledger of(Journal.Contents contents) {
        Ledger ledger = new Ledger();
        contents.lines().forEach(ledger::add);
        ledger.problems = contents.problems();
        return ledger;
    }

    /** Takes in what was just written. */
    synchronized void add(Journal.Line line) {
        Entry entry = line.entry();
        if (entry instanceof Entry.RunStarted e) {
            startedAt = started == null ? line.at() : startedAt;
            started = e;
            ended = null;
            judgement = null;
            steps.values().forEach(step -> step.earlier = true);
        } else if (entry instanceof Entry.StepStarted e) {
            begin(e);
        } else if (entry instanceof Entry.AttemptStarted e) {
            step(e.step()).attempts.add(new Attempt(e, null));
            folders.merge(e.step(), e.attempt(), Math::max);
        } else if (entry instanceof Entry.AttemptEnded e) {
            step(e.step()).attempts.replaceAll(a -> endsIt(a, e) ? new Attempt(a.started, e) : a);
        } else if (entry instanceof Entry.StepPlanned e) {
            StepLog step = step(e.step());
            step.planned = e;
            step.earlier = false;
        } else if (entry instanceof Entry.ExperimentEnded e) {
            step(e.step()).experiments.add(e);
        } else if (entry instanceof Entry.Judged e) {
            judged(e);
        } else if (entry instanceof Entry.StepEnded e) {
            end(e, line.at());
        } else if (entry instanceof Entry.StepInterrupted e) {
            StepLog step = step(e.step());
            step.interrupted = true;
            step.running = false;
            step.seconds = e.seconds();
        } else if (entry instanceof Entry.RunEnded e) {
            ended = e;
        }
    }

    private static boolean endsIt(Attempt attempt, Entry.AttemptEnded ended) {
        return attempt.ended == null && attempt.started.attempt() == ended.attempt();
    }

    private void begin(Entry.StepStarted entry) {
        StepLog step = new StepLog(entry.step());
        step.key = entry.key();
        step.running = true;
        steps.put(entry.step(), step);
    }

    private void judged(Entry.Judged entry) {
        if (entry.step() == null) {
            judgement = entry.judgement();
        } else {
            step(entry.step()).judgement = entry.judgement();
        }
    }

    private void end(Entry.StepEnded entry, Instant at) {
        StepLog step = step(entry.step());
        step.state = entry.state();
        step.reason = entry.reason();
        step.running = false;
        step.interrupted = false;
        step.earlier = false;
        if (entry.state() != State.REUSED) {
            step.seconds = entry.seconds();
            step.ended = at;
        }
    }

    private StepLog step(String id) {
        return steps.computeIfAbsent(id, StepLog::new);
    }

    /** The step, or null when the journal does not mention it. */
    public synchronized StepLog of(String step) {
        return steps.get(step);
    }

    /** All steps that the run has touched since it was last taken up. */
    public synchronized Collection<StepLog> steps() {
        return steps.values().stream().filter(step -> !step.earlier).toList();
    }

    /** The next attempt's number: no folder is written twice. */
    synchronized int nextAttempt(String step) {
        return folders.getOrDefault(step, 0) + 1;
    }

    /** How the run was last taken up; null when not even that line is whole. */
    public Entry.RunStarted started() {
        return started;
    }

    /** When the run first began. */
    public Instant startedAt() {
        return startedAt;
    }

    /** Null while it runs, and when gpuflow died. */
    public Entry.RunEnded ended() {
        return ended;
    }

    /** The judgement over the whole run, or null. */
    public Judgement judgement() {
        return judgement;
    }

    /** Lines of the journal that could not be read. */
    public List<String> problems() {
        return problems;
    }
}
