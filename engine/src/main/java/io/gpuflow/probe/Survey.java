package io.gpuflow.probe;

import io.gpuflow.facts.Observed;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a machine everything that is worth knowing: all probes side by side, then the questions that
 * need to know the GPUs, and makes one set of facts of the answers.
 */
public final class Survey {
    /** Every command has a limit of its own; this one is for a file system that never answers. */
    private static final int PATIENCE_SECONDS = 150;

    private final List<Probe> probes;
    private final List<FollowUp> followUps;

    public Survey() {
        this(Probes.all(), Probes.followUps());
    }

    /**
     * Only these probes.
     *
     * @throws IllegalArgumentException when there is no probe of such a name
     */
    public static Survey of(List<String> names) {
        for (String name : names) {
            if (!names().contains(name)) {
                throw new IllegalArgumentException(
                        "there is no probe " + name + "; there are " + String.join(", ", names()));
            }
        }
        return new Survey(
                Probes.all().stream().filter(p -> names.contains(p.name())).toList(),
                Probes.followUps().stream().filter(f -> names.contains(f.name())).toList());
    }

    /** The names of all probes. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        Probes.all().forEach(p -> names.add(p.name()));
        Probes.followUps().forEach(f -> names.add(f.name()));
        return names;
    }

    Survey(List<Probe> probes, List<FollowUp> followUps) {
        this.probes = probes;
        this.followUps = followUps;
    }

    /**
     * All facts, and an Unknown with its reason for each fact type that could not be told.
     *
     * @param lines told of each question as it is asked
     * @throws InterruptedException when the run is ended meanwhile
     */
    public List<Observed> ask(Tools tools, OutputLines lines) throws InterruptedException {
        Tools told = new Told(tools, lines);
        List<Observed> first = Reconciled.of(side(told));
        List<Observed> all = new ArrayList<>(first);
        for (FollowUp followUp : followUps) {
            all.addAll(guarded(followUp, told, List.copyOf(all)));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return Reconciled.of(all);
    }

    private List<Observed> side(Tools tools) throws InterruptedException {
        List<FutureTask<List<Observed>>> asked = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Probe probe : probes) {
            FutureTask<List<Observed>> task = new FutureTask<>(() -> probe.ask(tools));
            Thread thread = new Thread(task, "gpuflow-probe-" + probe.name());
            thread.setDaemon(true);
            thread.start();
            asked.add(task);
            threads.add(thread);
        }
        List<Answered> answers = new ArrayList<>();
        try {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            for (int i = 0; i < asked.size(); i++) {
                answers.add(new Answered(probes.get(i), answer(i, asked.get(i), until)));
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            throw e;
        }
        return Vendors.chosen(answers);
    }

    /** What a probe brought. */
    record Answered(Probe probe, List<Observed> facts) {}

    private List<Observed> answer(int i, FutureTask<List<Observed>> task, long until)
            throws InterruptedException {
        Probe probe = probes.get(i);
        try {
            long left = Math.max(0, until - System.nanoTime());
            return task.get(left, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            String why = probe.name() + " gave no answer within " + PATIENCE_SECONDS + " s";
            return Answer.unknown(probe.brings(), why, probe.name());
        } catch (ExecutionException e) {
            String why = "gpuflow failed while asking " + probe.name() + ": " + e.getCause();
            return Answer.unknown(probe.brings(), why, probe.name());
        }
    }

    private static List<Observed> guarded(FollowUp followUp, Tools tools, List<Observed> known) {
        try {
            return followUp.ask(tools, known);
        } catch (RuntimeException e) {
            String why = "gpuflow failed while asking " + followUp.name() + ": " + e;
            return List.of(Answer.unknown(followUp.name(), why, followUp.name()));
        }
    }

    /** Tells each command as it is run. */
    private record Told(Tools tools, OutputLines lines) implements Tools {
        @Override
        public ToolResult run(ToolCall call, OutputLines output) {
            List<String> shown = call.argv().stream().filter(a -> a.indexOf('\n') < 0).toList();
            lines.line(false, "asking " + String.join(" ", shown));
            return tools.run(call, output);
        }

        @Override
        public Tools withRecords(Path folder) {
            return new Told(tools.withRecords(folder), lines);
        }

        @Override
        public io.gpuflow.tool.FileResult read(String path) {
            return tools.read(path);
        }

        @Override
        public List<String> glob(String pattern) throws NotKnown {
            return tools.glob(pattern);
        }

        @Override
        public Map<String, String> environment() {
            return tools.environment();
        }

        @Override
        public String name() {
            return tools.name();
        }
    }
}
