package io.gpuflow.advise.memory;

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

    private static final int SHOWN = 24;

    @Override
    public PeakMemory predict(ModelShape model, Workload workload, Layout layout, Long available) {
        long overhead = overhead(layout);
        long limit = available == null ? Long.MAX_VALUE : available - overhead;
        try {
            Memory most = null;
            for (int stage : stages(layout)) {
                Memory memory = new Memory(new CachingAllocator(limit), 0);
                new StepSimulation(model, workload, layout, stage, memory).run();
                most = most == null || memory.peak() > most.peak() ? memory : most;
            }
            return peak(most, overhead, List.of());
        } catch (CachingAllocator.OutOfMemory e) {
            return null;
        }
    }

    @Override
    public PeakMemory explain(ModelShape model, Workload workload, Layout layout) {
        Memory most = null;
        int worst = 0;
        for (int stage : stages(layout)) {
            Memory memory = new Memory(new CachingAllocator(Long.MAX_VALUE), 0);
            new StepSimulation(model, workload, layout, stage, memory).run();
            if (most == null || memory.peak() > most.peak()) {
                most = memory;
                worst = stage;
            }
        }
        Memory again = new Memory(new CachingAllocator(Long.MAX_VALUE), most.peakMoment());
        new StepSimulation(model, workload, layout, worst, again).run();
        return peak(most, overhead(layout), lines(again.kept(), most.peak()));
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

    private static PeakMemory peak(Memory memory, long overhead, List<Line> lines) {
        long states = memory.atPeak(Part.WEIGHTS, Part.GRADIENTS, Part.OPTIMIZER);
        long activations = memory.atPeak(Part.ACTIVATIONS);
        long logits = memory.atPeak(Part.LOGITS);
        long allocated = memory.peak();
        long reserved = memory.allocator().peakReserved();
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
