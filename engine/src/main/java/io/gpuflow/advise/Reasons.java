package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says why a candidate fits or does not, what binds it, and what would help. */
public final class Reasons {
    private static final double GIB = 1L << 30;

    private final Request request;
    private final MemoryModel memory;

    public Reasons(Request request, MemoryModel memory) {
        this.request = request;
        this.memory = memory;
    }

    public List<String> of(Candidate c) {
        List<String> because = new ArrayList<>();
        because.add(need(c));
        because.add(batch(c));
        if (Boolean.FALSE.equals(c.fits())) {
            because.add("the binding limit: " + binding(c.peak()));
            String remedy = remedy(c);
            because.add(remedy == null ? "nothing tried here makes it fit" : "to fit: " + remedy);
        }
        String host = host(c);
        if (host != null) {
            because.add(host);
        }
        String trust = trust(c.layout());
        if (trust != null) {
            because.add(trust);
        }
        return because;
    }

    private String need(Candidate c) {
        PeakMemory p = c.peak();
        String parts =
                "%.2f GiB of torch's allocator, %.2f outside of it; most in the %s"
                        .formatted(p.reserved() / GIB, p.overhead() / GIB, p.phase());
        if (request.gpuMemory() == null) {
            return format("needs %.1f GiB on every GPU (%s)", p.total() / GIB, parts);
        }
        double has = request.gpuMemory() / GIB;
        double share = 100 * p.total() / (double) request.gpuMemory();
        String words = Boolean.TRUE.equals(c.fits()) ? "fits" : "does not fit";
        return format(
                "%s: needs %.1f of %.1f GiB, %.0f %%, with a margin of %.0f %% (%s)",
                words, p.total() / GIB, has, share, 100 * Candidates.MARGIN, parts);
    }

    private static String batch(Candidate c) {
        Layout l = c.layout();
        Workload w = c.workload();
        return format(
                "micro-batch %d × data-parallel ranks %d × micro-steps %d = global batch %d, %d tokens a step%s",
                w.microBatch(),
                l.dp(),
                l.accumulation(),
                (long) w.microBatch() * l.dp() * l.accumulation(),
                (long) w.microBatch() * l.dp() * l.accumulation() * w.seq(),
                w.globalBatch() == null && l.dp() > 1
                        ? "; another global batch is another optimisation problem: check the learning rate"
                        : "");
    }

    /** The largest part of the peak, in words. */
    static String binding(PeakMemory p) {
        long most =
                Math.max(
                        Math.max(p.states(), p.activations()), Math.max(p.logits(), p.temporary()));
        String what = "temporary copies";
        if (most == p.states()) {
            what = "weights, gradients and optimizer states";
        } else if (most == p.activations()) {
            what = "activations";
        } else if (most == p.logits()) {
            what = "logits (tokens × vocabulary)";
        }
        return format("%s, %.1f GiB", what, most / GIB);
    }

    /** The smallest change that makes it fit; null when none of those tried does. */
    public String remedy(Candidate c) {
        Workload w = c.workload();
        for (int batch = w.microBatch() / 2; batch >= 1; batch /= 2) {
            if (fits(w.withMicroBatch(batch), c.layout())) {
                return "micro-batch " + batch;
            }
        }
        if (!w.recompute() && fits(w.withRecompute(true), c.layout())) {
            return "recompute activations (--recompute)";
        }
        Workload small = w.withMicroBatch(1).withRecompute(true);
        if (fits(small, c.layout())) {
            return "micro-batch 1 and --recompute";
        }
        for (Optimizer o : new Optimizer[] {Optimizer.ADAMW_FUSED, Optimizer.ADAM8BIT}) {
            if (fits(with(small, o), c.layout())) {
                return "micro-batch 1, --recompute and --optimizer " + o.word();
            }
        }
        return null;
    }

    private static Workload with(Workload w, Optimizer optimizer) {
        return new Workload(
                w.microBatch(),
                w.seq(),
                w.globalBatch(),
                w.precision(),
                optimizer,
                w.recompute(),
                w.attention());
    }

    private boolean fits(Workload work, Layout layout) {
        Long available = Candidates.available(request.gpuMemory());
        return memory.predict(request.model(), work, layout, available) != null;
    }

    /**
     * What offloading keeps outside of the GPUs: fp32 weights, moments and gradients, 16 B each.
     */
    private String host(Candidate c) {
        Layout l = c.layout();
        if (l.optimizerOffload() == Layout.Offload.NONE) {
            return null;
        }
        boolean weights = l.weightOffload() != Layout.Offload.NONE;
        double each = (16.0 + (weights ? 2 : 0)) * request.model().parameters().total() / l.shard();
        String where = l.optimizerOffload() == Layout.Offload.CPU ? "pinned host memory" : "NVMe";
        int local = Math.min(request.perNode(), l.world());
        return format(
                "keeps %.1f GiB of every rank's states in %s, %.1f GiB on a machine of %d GPUs",
                each / GIB, where, local * each / GIB, local);
    }

    /** How far the model of this layout was checked. */
    private static String trust(Layout l) {
        if (l.data().deepSpeed()) {
            return "memory of ZeRO is from DeepSpeed's source, not checked against measured steps";
        }
        if (l.data() == DataParallel.DDP) {
            return "DDP's peak is a race: one run in three holds its buckets twice in the second step;"
                    + " allocated is the mean, whether it fits is judged by the worse";
        }
        boolean divided = l.tp() * l.pp() * l.cp() * l.ep() > 1;
        return divided
                ? "memory of tensor, pipeline, context and expert parallelism is computed, not checked"
                        + " against measured steps"
                : null;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
