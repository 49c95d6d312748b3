package io.gpuflow.advise.memory;

import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.MemoryModel;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.PeakMemory.Line;
import io.gpuflow.advise.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Predicts memory by running training steps operation by operation, without computing anything:
 * what torch would allocate is counted, as torch's allocator would hand it out.
 */
public final class SimulatedMemory implements MemoryModel {
    /**
     * Outside of the allocator: CUDA context with kernels and cuBLAS, measured on H200 (torch 2.11,
     * driver 580) as device memory in use less memory reserved.
     */
    static final long CONTEXT = 768L << 20;

    /** NCCL's buffers for one communicator, measured likewise (two ranks, no NVLS): 0.83 GiB. */
    static final long COMMUNICATOR = 850L << 20;

    private static final int STEPS = 3;
    private static final int SHOWN = 24;

    /**
     * DDP makes its buckets anew before the second step. The old ones are held by NCCL's work
     * objects until the watchdog, which looks every 100 ms, has seen that the work is done and
     * another collective is started (ProcessGroupNCCL: shelvesToUnstash). Whether that is before or
     * after the second step's peak is a race; of 11 measured runs, 4 held both.
     */
    private static final double BUCKETS_TWICE = 1 / 3.0;

    @Override
    public PeakMemory predict(ModelShape model, Workload workload, Layout layout, Long available) {
        long overhead = overhead(layout);
        long limit = available == null ? Long.MAX_VALUE : available - overhead;
        // Without a limit only the peak is asked for, which the second step has.
        int steps = available == null ? 2 : STEPS;
        try {
            Memory usual = run(model, workload, layout, limit, false, steps).memory();
            if (layout.data() != DataParallel.DDP) {
                return peak(usual, usual, overhead, List.of());
            }
            Memory worse = run(model, workload, layout, limit, true, steps).memory();
            return peak(usual, worse, overhead, List.of());
        } catch (CachingAllocator.OutOfMemory e) {
            return null;
        }
    }

    @Override
    public PeakMemory explain(ModelShape model, Workload workload, Layout layout) {
        long all = Long.MAX_VALUE;
        Run usual = run(model, workload, layout, all, false, STEPS);
        boolean ddp = layout.data() == DataParallel.DDP;
        Memory worse =
                ddp ? run(model, workload, layout, all, true, STEPS).memory() : usual.memory();
        long moment = usual.memory().peakMoment();
        Memory again = new Memory(new CachingAllocator(all), moment);
        new StepSimulation(model, workload, layout, usual.stage(), again, false, STEPS).run();
        List<Line> lines = lines(again.kept(), usual.memory().peak());
        long twice = twice(usual.memory(), worse);
        if (twice > 0) {
            lines.add(
                    new Line(
                            "DDP: former buckets, which one run in three still holds in its second step",
                            twice,
                            "1/3 × (peak with them - peak without)"));
        }
        return peak(usual.memory(), worse, overhead(layout), lines);
    }

    private record Run(Memory memory, int stage) {}

    /** The pipeline stage that needs most. */
    private static Run run(
            ModelShape model,
            Workload workload,
            Layout layout,
            long limit,
            boolean bucketsTwice,
            int steps) {
        Run most = null;
        for (int stage : stages(layout)) {
            Memory memory = new Memory(new CachingAllocator(limit), 0);
            new StepSimulation(model, workload, layout, stage, memory, bucketsTwice, steps).run();
            if (most == null || memory.peak() > most.memory().peak()) {
                most = new Run(memory, stage);
            }
        }
        return most;
    }

    private static long twice(Memory usual, Memory worse) {
        return Math.round(BUCKETS_TWICE * Math.max(0, worse.peak() - usual.peak()));
    }

    /** The first pipeline stage holds the most micro-batches, the last one the logits. */
    private static int[] stages(Layout layout) {
        return layout.pp() == 1 ? new int[] {0} : new int[] {0, layout.pp() - 1};
    }

    /** Of one process; every dimension that divides the model is a communicator. */
    private static long overhead(Layout l) {
        int communicators = 0;
        for (int ranks : new int[] {l.dp(), l.tp(), l.pp(), l.cp(), l.ep()}) {
            communicators += ranks > 1 ? 1 : 0;
        }
        return CONTEXT + communicators * COMMUNICATOR;
    }

    private static PeakMemory peak(Memory memory, Memory worse, long overhead, List<Line> lines) {
        long states = memory.atPeak(Part.WEIGHTS, Part.GRADIENTS, Part.OPTIMIZER);
        long activations = memory.atPeak(Part.ACTIVATIONS);
        long logits = memory.atPeak(Part.LOGITS);
        long allocated = memory.peak() + twice(memory, worse);
        long reserved = worse.allocator().peakReserved();
        return new PeakMemory(
                states,
                activations,
                logits,
                allocated - states - activations - logits,
                allocated,
                reserved,
                overhead,
                reserved + overhead,
                memory.peakPhase(),
                lines);
    }

    private record Key(Part part, String label, long rows, long columns, int width) {}

    private static List<Line> lines(List<Storage> kept, long allocated) {
        Map<Key, Integer> counts = new LinkedHashMap<>();
        for (Storage s : kept) {
            counts.merge(new Key(s.part, s.label, s.rows, s.columns, s.width), 1, Integer::sum);
        }
        List<Line> lines = new ArrayList<>();
        counts.forEach((key, count) -> lines.add(line(key, count)));
        lines.sort(Comparator.comparingLong(Line::bytes).reversed());
        long sum = lines.stream().mapToLong(Line::bytes).sum();
        List<Line> shown = new ArrayList<>(lines.subList(0, Math.min(SHOWN, lines.size())));
        if (lines.size() > SHOWN) {
            long rest = lines.subList(SHOWN, lines.size()).stream().mapToLong(Line::bytes).sum();
            shown.add(new Line((lines.size() - SHOWN) + " smaller kinds", rest, ""));
        }
        shown.add(new Line("rounded up by the allocator", allocated - sum, ""));
        return shown;
    }

    private static Line line(Key key, int count) {
        boolean gradient = key.part() == Part.GRADIENTS;
        String kind = key.part().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String label =
                key.label().contains(": ") && !gradient ? key.label() : kind + ": " + key.label();
        String each =
                key.rows() == 1
                        ? key.columns() + " × " + key.width() + " B"
                        : key.rows() + " × " + key.columns() + " × " + key.width() + " B";
        long bytes = key.rows() * key.columns() * key.width() * count;
        return new Line(label, bytes, count == 1 ? each : count + " × (" + each + ")");
    }
}
