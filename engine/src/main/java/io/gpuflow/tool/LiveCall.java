package io.gpuflow.tool;

import io.gpuflow.tool.ToolResult.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One command on this machine, from its start until nothing of it is left. */
final class LiveCall {
    /** After a command and all its processes are gone, its pipes are empty within this time. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /**
     * Helpers of a command that has just ended (a resource tracker, the rest of a pipeline) get
     * this time to notice it before they count as left behind.
     */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    /** Within this time process ids can't have come round; see {@link ProcessTree}. */
    private static final double NO_ROUND_SECONDS = 2;

    private static final long TICK_MILLIS = 50;
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private record Ending(Outcome outcome, String why) {}

    private final LiveTools.Shared shared;
    private final ToolCall call;
    private final OutputLines lines;
    private final LiveTools.Limits limits;
    private final Collection<String> secrets;
    private final Path records;
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final int number;

    private volatile boolean cancelled;
    private volatile boolean showingFailed;
    private long begin;
    private Process process;
    private ProcessTree tree;
    private Path folder;
    private Capture out;
    private Capture err;

    LiveCall(
            LiveTools.Shared shared,
            ToolCall call,
            OutputLines lines,
            LiveTools.Limits limits,
            Collection<String> secrets,
            Path records) {
        this.shared = shared;
        this.call = call;
        this.lines = lines;
        this.limits = limits;
        this.secrets = secrets;
        this.records = records;
        this.number = shared.calls.incrementAndGet();
    }

    /** Ends this command alone, as interrupted. */
    void cancel() {
        cancelled = true;
    }

    private boolean interrupted() {
        return cancelled || shared.interrupts.get() > 0;
    }

    /** Runs on a thread of its own, which nobody interrupts. */
    ToolResult run() throws InterruptedException {
        ToolResult result = start();
        if (result == null) {
            Ending ending = await();
            result = finish(ending);
        }
        return keepRecord(result);
    }

    /** The result when it could not be started, else null. */
    private ToolResult start() {
        if (interrupted()) {
            return without(Outcome.INTERRUPTED, "the run was interrupted before it");
        }
        folder = recordFolder();
        if (call.folder() != null && !Files.isDirectory(call.folder())) {
            return broken("its working folder " + call.folder() + " does not exist");
        }
        Map<String, String> environment = environment();
        String name = call.argv().isEmpty() ? "" : call.argv().get(0);
        ProgramLookup found =
                ProgramLookup.find(
                        name, environment.getOrDefault("PATH", DEFAULT_PATH), call.folder());
        if (found.program() == null) {
            return without(found.missing() ? Outcome.MISSING : Outcome.BROKEN, found.why());
        }
        if (found.note() != null) {
            notes.add(found.note());
        }
        try {
            start(found.program(), environment);
            return null;
        } catch (IOException e) {
            return broken(name + " could not be started: " + Words.ofStart(e));
        } catch (IllegalArgumentException e) {
            return broken(name + " could not be started: " + e.getMessage());
        }
    }

    private ToolResult broken(String why) {
        return without(Outcome.BROKEN, why);
    }

    /** A command that was not started leaves a record too. */
    private ToolResult without(Outcome outcome, String why) {
        return new ToolResult(
                call.argv(),
                outcome,
                -1,
                "",
                "",
                emptyFile("stdout"),
                emptyFile("stderr"),
                0,
                why,
                notes,
                List.of());
    }

    private Path emptyFile(String name) {
        try {
            return folder == null ? null : Files.write(folder.resolve(name), new byte[0]);
        } catch (IOException e) {
            return null;
        }
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(call.env());
        environment.values().removeIf(Objects::isNull);
        shared.mark.call(number).put(environment);
        return environment;
    }

    private void start(Path program, Map<String, String> environment) throws IOException {
        List<String> argv = new ArrayList<>(Session.prefix());
        argv.addAll(shared.mark.call(number).command());
        argv.add(program.toString());
        argv.addAll(call.argv().subList(1, call.argv().size()));
        Words.checkEncodable(argv);
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectInput(new File("/dev/null"));
        if (call.folder() != null) {
            builder.directory(call.folder().toFile());
        }
        shared.guardian.ensure();
        begin = System.nanoTime();
        process = builder.start();
        tree = new ProcessTree(shared.mark.call(number), process.pid(), Session.own());
        if (Session.own()) {
            shared.guardian.started(process.pid());
        }
        out = capture(false);
        err = capture(true);
    }

    /** Null where none can be made: a full disk is no reason to know nothing about a machine. */
    private Path recordFolder() {
        try {
            return records == null ? null : CallFolder.create(records, number, call.argv());
        } catch (IOException e) {
            notes.add("its output is not kept in " + records + ": " + Words.of(e));
            return null;
        }
    }

    private Capture capture(boolean stderr) {
        String name = stderr ? "stderr" : "stdout";
        Capture capture =
                new Capture(
                        stderr ? process.getErrorStream() : process.getInputStream(),
                        folder == null ? null : folder.resolve(name),
                        limits,
                        new SecretMask(secrets),
                        text -> tell(stderr, text));
        capture.start("gpuflow-" + name + "-" + number);
        return capture;
    }

    private void tell(boolean stderr, String text) {
        try {
            lines.line(stderr, text);
        } catch (RuntimeException e) {
            // A display that fails must not stop the output from being kept.
            if (!showingFailed) {
                showingFailed = true;
                notes.add("showing its output failed: " + e);
            }
        }
    }

    private Ending await() throws InterruptedException {
        while (!process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (interrupted()) {
                return new Ending(Outcome.INTERRUPTED, "the run was interrupted");
            }
            if (seconds() > call.limit().toSeconds() + call.limit().getNano() / 1e9) {
                return new Ending(
                        Outcome.TIMED_OUT,
                        "did not finish within " + Words.of(call.limit()) + " and was ended");
            }
            String why = lines.giveUp();
            if (why != null) {
                return new Ending(Outcome.TIMED_OUT, why);
            }
        }
        return new Ending(Outcome.EXITED, null);
    }

    private ToolResult finish(Ending ending) throws InterruptedException {
        double seconds = seconds();
        List<String> strays = List.of();
        if (ending.outcome() == Outcome.EXITED) {
            strays = settle(seconds).stream().map(ProcessTree::describe).toList();
        } else if (ending.outcome() == Outcome.TIMED_OUT) {
            saveEvidence();
        }
        if (ending.outcome() != Outcome.EXITED || !strays.isEmpty()) {
            for (Proc stuck : tree.end(limits.grace(), () -> shared.interrupts.get() > 1)) {
                notes.add(
                        "even a kill did not end "
                                + ProcessTree.describe(stuck)
                                + " (state "
                                + stuck.state()
                                + "): it is stuck in the kernel or a driver");
            }
        }
        shared.guardian.ended(process.pid());
        out.finish(DRAIN);
        err.finish(DRAIN);
        return result(ending, seconds, strays);
    }

    /** What is still there when the command itself has ended and its helpers had time to notice. */
    private List<Proc> settle(double seconds) throws InterruptedException {
        long deadline = System.nanoTime() + SETTLE.toNanos();
        List<Proc> left = seconds < NO_ROUND_SECONDS ? tree.aliveAmongYounger() : tree.alive();
        while (!left.isEmpty() && System.nanoTime() < deadline && !interrupted()) {
            Thread.sleep(20);
            if (left.stream().noneMatch(Proc::alive)) {
                left = tree.alive();
            }
        }
        return left;
    }

    private void saveEvidence() throws InterruptedException {
        List<ProcessHandle> handles =
                tree.alive().stream()
                        .flatMap(proc -> ProcessHandle.of(proc.pid()).stream())
                        .toList();
        try {
            Bounded.within(
                    limits.evidence(),
                    () -> {
                        lines.beforeEnd(handles);
                        return null;
                    });
        } catch (TimeoutException e) {
            notes.add("saving evidence took longer than " + Words.of(limits.evidence()));
        } catch (ExecutionException e) {
            notes.add("saving evidence failed: " + e.getCause());
        }
    }

    private ToolResult result(Ending ending, double seconds, List<String> strays) {
        addNote(out.note("stdout"));
        addNote(err.note("stderr"));
        Outcome outcome = ending.outcome();
        String why = ending.why();
        if (outcome == Outcome.EXITED && (out.lost() || err.lost())) {
            outcome = Outcome.BROKEN;
            why = "its output could not be kept: " + (out.lost() ? out : err).diskTrouble();
        }
        return new ToolResult(
                call.argv(),
                outcome,
                outcome == Outcome.EXITED ? process.exitValue() : -1,
                out.text(),
                err.text(),
                out.file(),
                err.file(),
                seconds,
                why,
                notes,
                strays);
    }

    private void addNote(String note) {
        if (note != null) {
            notes.add(note);
        }
    }

    private ToolResult keepRecord(ToolResult result) {
        if (folder == null) {
            return result;
        }
        try {
            CallFile.of(call, result, Placeholders.of(call), secrets).write(folder);
            return result;
        } catch (IOException e) {
            List<String> more = new ArrayList<>(result.notes());
            more.add("its record in " + folder + " is incomplete: " + Words.of(e));
            return result.withNotes(more);
        }
    }

    private double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }
}
