package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/** Finds ways to train what a user wants, each with the largest micro-batch that fits. */
public final class Candidates {
    /** Of a GPU's memory, left free: other processes, and what the simulation does not know. */
    public static final double MARGIN = 0.01;

    /** Beyond this, a larger micro-batch makes no step more efficient. */
    private static final int LARGEST = 64;

    private final Request request;
    private final MemoryModel memory;

    public Candidates(Request request, MemoryModel memory) {
        this.request = request;
        this.memory = memory;
    }

    /** The one layout that the user named, or one candidate for each that is worth a try. */
    public List<Candidate> all() {
        List<Layout> layouts =
                request.layout() != null
                        ? List.of(request.layout())
                        : Layouts.of(request.model(), request.gpus(), request.perNode());
        List<Candidate> all = new ArrayList<>();
        for (Layout layout : layouts) {
            Candidate best = best(layout);
            if (best != null) {
                all.add(best);
            }
        }
        return all;
    }

    /** Without computing anything twice if that fits, with as large a micro-batch as fits. */
    private Candidate best(Layout layout) {
        List<Boolean> ways =
                request.recompute() != null ? List.of(request.recompute()) : List.of(false, true);
        Candidate first = null;
        for (boolean again : ways) {
            Candidate found = largest(layout, again);
            if (found != null && !Boolean.FALSE.equals(found.fits())) {
                return found;
            }
            first = found == null ? first : found;
        }
        return first == null ? null : needing(first);
    }

    /** What does not fit, with what it would need. */
    private Candidate needing(Candidate c) {
        PeakMemory peak = memory.predict(request.model(), c.workload(), c.layout(), null);
        return new Candidate(
                c.layout(), c.workload(), false, peak, null, null, List.of(), List.of());
    }

    private Candidate largest(Layout layout, boolean again) {
        if (request.microBatch() != null) {
            return judged(layout, request.microBatch(), again);
        }
        Candidate best = null;
        for (int batch = 1; batch <= most(layout); batch *= 2) {
            Candidate next = judged(layout, batch, again);
            if (next == null) {
                continue;
            }
            boolean fits = !Boolean.FALSE.equals(next.fits());
            if (best != null && !fits) {
                break;
            }
            best = next;
            if (!fits || next.fits() == null) {
                break;
            }
        }
        return best;
    }

    private int most(Layout layout) {
        Integer global = request.globalBatch();
        return global == null ? LARGEST : Math.min(LARGEST, Math.max(1, global / layout.dp()));
    }

    /**
     * Without a peak when it does not fit; null when the global batch is no multiple of what this
     * makes in a micro-step.
     */
    private Candidate judged(Layout base, int batch, boolean again) {
        Layout layout = base;
        if (request.globalBatch() != null) {
            long each = (long) batch * base.dp();
            if (request.globalBatch() % each != 0) {
                return null;
            }
            layout = base.withAccumulation((int) (request.globalBatch() / each));
        }
        Workload work = request.work(batch, again);
        Long available = available(request.gpuMemory());
        PeakMemory peak = memory.predict(request.model(), work, layout, available);
        boolean fits = peak != null;
        return new Candidate(
                layout,
                work,
                available == null ? null : fits,
                peak,
                null,
                null,
                List.of(),
                List.of());
    }

    static Long available(Long gpuMemory) {
        return gpuMemory == null ? null : (long) (gpuMemory * (1 - MARGIN));
    }
}
