package io.gpuflow.step;

import io.gpuflow.flow.Action;
import io.gpuflow.parse.GpuflowLines;
import io.gpuflow.parse.SmokeOutput;
import io.gpuflow.parse.SmokeReport;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Follows ranks while they run and, before they are ended for want of an end, saves what they were
 * doing: state and wait channel of each process, Python stacks, Flight Recorder dumps, two answers
 * of NCCL's RAS, and nvidia-smi. Everything at once, in at most {@link #LIMIT}.
 */
final class HangEvidence implements OutputLines {
    static final String FOLDER = "evidence";

    /** Half a minute is what a user still waits for after a timeout. */
    private static final Duration LIMIT = Duration.ofSeconds(25);

    private static final Duration SIGNALS = Duration.ofSeconds(3);
    private static final Duration SMI = Duration.ofSeconds(8);

    /** The recorder's thread looks at its pipe about once a second; stacks are there at once. */
    private static final Duration DUMPS = Duration.ofSeconds(8);

    private static final Duration STACKS = Duration.ofSeconds(2);
    private static final int LARGEST = 64 << 10;

    /** Ranks print some dozen report lines of a few hundred bytes each. */
    private static final int MOST_TOLD = 8 << 20;

    private final Action.Context context;
    private final boolean onGpus;
    private final Path folder;
    private final StringBuilder told = new StringBuilder();
    private final Map<Integer, Long> pids = new TreeMap<>();
    private final Map<Integer, String> ras = new TreeMap<>();

    HangEvidence(Action.Context context, boolean onGpus) {
        this.context = context;
        this.onGpus = onGpus;
        this.folder = context.folder().resolve(FOLDER);
    }

    @Override
    public void line(boolean stderr, String text) {
        if (!text.contains(GpuflowLines.MARK)) {
            context.lines().line(stderr, text);
            return;
        }
        synchronized (told) {
            if (told.length() + text.length() < MOST_TOLD) {
                told.append(text).append('\n');
            }
        }
        String shown = GpuflowLines.shown(text);
        if (shown != null) {
            context.lines().line(stderr, shown);
        }
    }

    @Override
    public String giveUp() {
        return context.lines().giveUp();
    }

    @Override
    public void beforeEnd(List<ProcessHandle> processes) {
        context.lines().beforeEnd(processes);
        List<Long> alive = processes.stream().map(ProcessHandle::pid).toList();
        synchronized (told) {
            SmokeReport report = new SmokeOutput().parse(told.toString());
            pids.putAll(report.pids());
            ras.putAll(report.rasAddresses());
        }
        pids.values().retainAll(alive); // never signal a process that is not of this call
        try {
            Files.createDirectories(folder);
            processStates(alive); // first: it is instant, and a signal changes states
            List<Callable<Object>> tasks = new ArrayList<>();
            tasks.add(this::stacksAndDumps);
            if (onGpus) {
                tasks.add(this::ras);
                tasks.add(this::smi);
            }
            ExecutorService threads = Executors.newCachedThreadPool(HangEvidence::daemon);
            threads.invokeAll(tasks, LIMIT.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
            threads.shutdownNow();
        } catch (IOException e) {
            context.lines().line(true, "gpuflow: evidence could not be saved: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "gpuflow-evidence");
        thread.setDaemon(true);
        return thread;
    }

    /** One file for each rank, and one for the other processes of the job. */
    private void processStates(List<Long> alive) throws IOException {
        for (Map.Entry<Integer, Long> rank : pids.entrySet()) {
            Path file = folder.resolve("proc-rank" + rank.getKey() + ".txt");
            Files.writeString(file, processState(rank.getValue()));
        }
        StringBuilder others = new StringBuilder();
        for (long pid : alive) {
            if (!pids.containsValue(pid)) {
                others.append(processState(pid)).append('\n');
            }
        }
        Files.writeString(folder.resolve("proc-others.txt"), others.toString());
    }

    /** Only files whose reading the process can't hold up: neither environ nor cmdline. */
    private static String processState(long pid) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("stat", "wchan", "syscall", "status", "stack")) {
            String path = "/proc/" + pid + "/" + name;
            try (InputStream in = Files.newInputStream(Path.of(path))) {
                String content = new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
                text.append("--- ").append(path).append('\n').append(content.strip()).append('\n');
            } catch (IOException e) {
                text.append("--- ").append(path).append("\nnot readable: ").append(e.getMessage());
                text.append('\n');
            }
        }
        return text.toString();
    }

    private Object stacksAndDumps() throws IOException, InterruptedException {
        List<String> signal = new ArrayList<>(List.of("sh", "-c", "kill -USR1 \"$@\"", "sh"));
        pids.values().forEach(pid -> signal.add(Long.toString(pid)));
        if (!pids.isEmpty()) {
            run(signal, SIGNALS);
        }
        List<String> pipes = new ArrayList<>();
        for (int rank : pids.keySet()) {
            Path pipe = context.folder().resolve("fr-pipe-rank" + rank + ".pipe");
            if (Files.exists(pipe)) {
                pipes.add(pipe.toString());
            }
        }
        if (!pipes.isEmpty()) {
            // A pipe without a reader holds its writer, so each gets a writer of its own.
            List<String> poke = new ArrayList<>();
            poke.addAll(List.of("sh", "-c", "for p; do (echo dump >\"$p\") & done; wait", "sh"));
            poke.addAll(pipes);
            run(poke, SIGNALS);
        }
        long deadline = System.nanoTime() + (pipes.isEmpty() ? STACKS : DUMPS).toNanos();
        boolean all = false;
        while (!all && System.nanoTime() < deadline) {
            Thread.sleep(200);
            all = written("stack-rank*.txt") >= pids.size() && written("fr-rank*") >= pipes.size();
        }
        Thread.sleep(300); // let the last one be written to its end
        return null;
    }

    private int written(String glob) throws IOException {
        int count = 0;
        try (var files = Files.newDirectoryStream(context.folder(), glob)) {
            for (Path file : files) {
                count += Files.isRegularFile(file) && Files.size(file) > 0 ? 1 : 0;
            }
        }
        return count;
    }

    private ToolResult run(List<String> argv, Duration limit) {
        return context.tools().run(new ToolCall(argv, Map.of(), null, limit), (stderr, text) -> {});
    }

    private Object ras() throws IOException, InterruptedException {
        new RasSnapshots(ras.values()).into(folder);
        return null;
    }

    private Object smi() throws IOException {
        for (String tool : List.of("nvidia-smi", "rocm-smi")) {
            ToolResult result = run(List.of(tool), SMI);
            if (result.outcome() != ToolResult.Outcome.MISSING) {
                String why = result.why() == null ? "exit " + result.exit() : result.why();
                String text = result.ok() ? result.stdout() : tool + ": " + why + "\n";
                Files.writeString(folder.resolve(tool + ".txt"), text);
                return null;
            }
        }
        return null;
    }
}
