package io.gpuflow.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * This machine. Whatever is started here is gone, with all that it started, when it ends, when its
 * limit comes, when gpuflow is interrupted and when gpuflow is killed.
 */
public final class LiveTools implements Tools, AutoCloseable {
    /**
     * @param memory bytes of each output stream kept in memory, half of it from either end
     * @param disk bytes of each output stream kept on disk before only its end is kept
     * @param grace time that processes get between being asked to end and being killed
     * @param evidence time that saving evidence may take before a command is ended
     */
    public record Limits(int memory, long disk, Duration grace, Duration evidence) {
        public static final Limits USUAL =
                new Limits(16 << 20, 256L << 20, Duration.ofSeconds(3), Duration.ofSeconds(60));
    }

    /** What all views of one machine share. */
    static final class Shared {
        final Mark mark = Mark.random();
        final Guardian guardian = new Guardian(mark);
        final AtomicInteger calls = new AtomicInteger();
        final Set<LiveCall> running = ConcurrentHashMap.newKeySet();
        final AtomicInteger interrupts = new AtomicInteger();
        Thread hook;
    }

    private final Shared shared;
    private final Path records;
    private final Limits limits;
    private final Collection<String> secrets;

    /**
     * @param records folder where each command leaves what it printed, or null to keep nothing
     * @param secrets values that are masked in all output
     */
    public LiveTools(Path records, Limits limits, Collection<String> secrets) {
        this(new Shared(), records, limits, secrets);
        shared.hook = new Thread(this::endAll, "gpuflow-end");
        Runtime.getRuntime().addShutdownHook(shared.hook);
    }

    public LiveTools(Path records) {
        this(records, Limits.USUAL, List.of());
    }

    private LiveTools(Shared shared, Path records, Limits limits, Collection<String> secrets) {
        this.shared = shared;
        this.records = records;
        this.limits = limits;
        this.secrets = List.copyOf(secrets);
    }

    @Override
    public LiveTools withRecords(Path folder) {
        return new LiveTools(shared, folder, limits, secrets);
    }

    @Override
    public ToolResult run(ToolCall call, OutputLines lines) {
        LiveCall running = new LiveCall(shared, call, lines, limits, secrets, records);
        FutureTask<ToolResult> task = new FutureTask<>(running::run);
        shared.running.add(running);
        Thread thread = new Thread(task, "gpuflow-call");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    running.cancel();
                } catch (ExecutionException e) {
                    return ToolResult.without(
                            call, ToolResult.Outcome.BROKEN, "gpuflow failed: " + e.getCause());
                }
            }
        } finally {
            shared.running.remove(running);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends all running commands, which then are INTERRUPTED, as is each later one. A second time
     * grants them no more grace. Returns at once.
     */
    public void interrupt() {
        shared.interrupts.incrementAndGet();
    }

    @Override
    public FileResult read(String path) {
        return FileReader.read(path);
    }

    @Override
    public List<String> glob(String pattern) throws NotKnown {
        return Glob.list(pattern);
    }

    @Override
    public Map<String, String> environment() {
        return System.getenv();
    }

    @Override
    public String name() {
        return "this machine";
    }

    /** Why nobody would clean up if gpuflow were killed with signal 9, or null. */
    public String unguarded() {
        return shared.guardian.trouble();
    }

    /** Ends whatever still runs and lets the guardian go. */
    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(shared.hook);
        } catch (IllegalStateException e) {
            // The virtual machine is ending and the hook is running.
        }
    }

    private void endAll() {
        interrupt();
        long deadline = System.nanoTime() + limits.grace().plusSeconds(10).toNanos();
        try {
            while (!shared.running.isEmpty() && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (shared.running.isEmpty()) {
            shared.guardian.release();
        }
    }
}
