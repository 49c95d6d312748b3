package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time of the compute of one rank, from floating-point operations and from bytes that elementwise
 * kernels move. The constants hold for eager PyTorch with the layers of transformers; they were
 * checked on the steps of thirteen models on one H200 (engine/bench/memory/h200-rows.jsonl: median
 * error 7 %).
 */
final class ComputeModel {
    /**
     * Bytes that kernels move for each byte of activations that is kept for the backward pass: it
     * is written and read again together with intermediate results that are not kept, in either
     * direction.
     */
    private static final double MOVED_FORWARD = 4;

    private static final double MOVED_BACKWARD = 4;

    /** Bytes kept for a token and an entry of the vocabulary: logits, their fp32 copy, softmax. */
    private static final double LOGIT_BYTES = 12;

    /** Attention runs twice the products of its forward pass, and the scores again. */
    private static final double ATTENTION_BACKWARD = 2.5;

    /**
     * Host time to start the kernels of one layer, forward and backward: 3.3 ms under autocast and
     * 2.3 ms without, from steps too small for the GPU on H200 hosts. Other hosts differ; measure.
     */
    private static final double HOST_LAYER_AUTOCAST = 3.3e-3;

    private static final double HOST_LAYER = 2.3e-3;
    private static final double HOST_FORWARD_SHARE = 0.4;

    private final ModelShape model;
    private final Workload work;
    private final Layout layout;
    private final GpuSpeed gpu;
    private final List<TimeLine> lines = new ArrayList<>();
    private final double tokens;
    private final double layers;
    private double forward;
    private double backward;

    private ComputeModel(ModelShape model, Workload work, Layout layout, GpuSpeed gpu) {
        this.model = model;
        this.work = work;
        this.layout = layout;
        this.gpu = gpu;
        this.tokens = (double) work.tokens() / layout.cp();
        this.layers = Math.ceil((double) model.layers() / layout.pp());
    }

    static ComputeTime of(ModelShape model, Workload work, Layout layout, GpuSpeed gpu) {
        return new ComputeModel(model, work, layout, gpu).time();
    }

    private ComputeTime time() {
        products();
        productTraffic();
        attention();
        elementwise();
        output();
        casts();
        sharding();
        boolean autocast = autocast();
        double host = layers * (autocast ? HOST_LAYER_AUTOCAST : HOST_LAYER);
        double again = work.recompute() ? HOST_FORWARD_SHARE * host : 0;
        double optimizer = optimizer();
        return new ComputeTime(
                forward,
                backward,
                HOST_FORWARD_SHARE * host,
                (1 - HOST_FORWARD_SHARE) * host + again,
                optimizer,
                List.copyOf(lines));
    }

    private boolean autocast() {
        return work.precision().casts() && !layout.data().fsdp2();
    }

    /**
     * Parameters of one layer's share that a token is multiplied with, of this stage, this rank.
     */
    private double body() {
        ParameterCount p = model.parameters();
        return (double) (p.active() - p.embedding() - p.head())
                / model.layers()
                * layers
                / layout.tp();
    }

    private double outputMatrix() {
        return (double) model.hidden() * model.vocab() / layout.tp();
    }

    private double rate() {
        return work.precision() == Precision.FP32 ? gpu.fp32() : gpu.matmul();
    }

    private void products() {
        double once = 2 * tokens * (body() + outputMatrix());
        double again = work.recompute() ? 2 * tokens * body() : 0;
        add(
                "matrix products",
                once / rate(),
                (2 * once + again) / rate(),
                "%d FLOP × %s parameters and output layer × %.0f tokens%s at %.0f TFLOP/s",
                6,
                billions(body() + outputMatrix()),
                tokens,
                work.recompute() ? ", layers forward once more (recompute)" : "",
                rate() / 1e12);
    }

    /** What the products read and write, which does not overlap with their arithmetic. */
    private void productTraffic() {
        double h = model.hidden();
        double q = (double) model.queryWidth() / layout.tp();
        double kv = (double) model.keyWidth() / layout.tp();
        ModelShape.Experts e = model.experts();
        double f =
                (e == null ? model.ffn() : (double) e.ffn() * e.topK() + e.shared()) / layout.tp();
        double wide = (model.gated() ? 2 : 1) * (h + f) + f + h;
        double bytes =
                work.precision().computeBytes()
                        * tokens
                        * layers
                        * (h + q + 2 * (h + kv) + q + h + wide);
        moved("reading and writing around them", bytes, work.recompute() ? 3 * bytes : 2 * bytes);
    }

    private void attention() {
        double width = (double) model.queryWidth() / layout.tp();
        double pairs = (double) work.microBatch() * work.seq() * work.seq() / layout.cp();
        boolean eager = work.attention() == Attention.EAGER;
        double once = 4 * pairs * width * layers * (eager ? 1 : 0.5);
        double speed =
                work.precision() == Precision.FP32
                        ? gpu.fp32()
                        : eager ? gpu.matmul() : gpu.attention();
        double again = work.recompute() ? once : 0;
        double back = (eager ? 2 : ATTENTION_BACKWARD) * once + again;
        add(
                "attention",
                once / speed,
                back / speed,
                "4 FLOP × %s pairs of tokens × %.0f wide × %.0f layers%s, forward and backward, at %.0f TFLOP/s",
                billions(pairs * (eager ? 1 : 0.5)),
                width,
                layers,
                eager ? "" : " (causal: half of them)",
                speed / 1e12);
        if (eager) {
            double heads = (double) model.heads() / layout.tp();
            double kept = pairs * heads * layers * 10;
            moved("attention scores in memory", kept * 3, kept * (work.recompute() ? 6 : 3));
        }
    }

    /** Bytes of activations that one token keeps for one layer, as a rule of the family allows. */
    private double kept() {
        double h = model.hidden() / 1.0;
        double f =
                model.experts() == null
                        ? model.ffn()
                        : (double) model.experts().ffn() * model.experts().topK()
                                + model.experts().shared();
        double share = (double) model.kvHeads() / model.heads();
        boolean casts = autocast();
        double small =
                layout.tp() > 1 && !layout.sequenceParallel()
                        ? 0.5 + 0.5 / layout.tp()
                        : 1.0 / layout.tp();
        if (work.precision() == Precision.FP32) {
            return (42 * h * small + 16 * f / layout.tp());
        }
        if (model.gated()) {
            return ((casts ? 36.5 : 21 + 4 * share) * h * small + 8 * f / layout.tp());
        }
        return (casts ? 46 : 24) * h * small + (casts ? 30 : 20) * f / layout.tp();
    }

    private void elementwise() {
        double bytes = tokens * layers * kept();
        moved(
                "norms, activations, residuals",
                bytes * MOVED_FORWARD,
                bytes * (MOVED_BACKWARD + (work.recompute() ? MOVED_FORWARD : 0)));
    }

    private void output() {
        double bytes = LOGIT_BYTES * tokens * model.vocab() / layout.tp();
        moved("logits and loss", bytes * MOVED_FORWARD, bytes * MOVED_BACKWARD);
    }

    /** Autocast makes 16-bit copies of the weights, and fp32 gradients of 16-bit ones. */
    private void casts() {
        if (autocast()) {
            double bytes = 6 * mine();
            moved("casting weights and gradients", bytes, bytes);
        }
    }

    /** FSDP and ZeRO-3 copy what they gathered into place, and gradients into what they send. */
    private void sharding() {
        boolean gathers = layout.data().fsdp2() || layout.data() == DataParallel.ZERO3;
        if (gathers && layout.shard() > 1) {
            double each = work.precision().computeBytes() * mine();
            boolean twice = layout.data() != DataParallel.FSDP2_NO_RESHARD;
            double reduced =
                    (work.precision().computeBytes() + work.precision().weightBytes()) * mine();
            moved(
                    "copies of gathered weights and of gradients",
                    2 * each,
                    (twice ? 2 * each : 0) + reduced);
        } else if (layout.data() == DataParallel.DDP && layout.dp() > 1) {
            // Into the buckets, divided there, and back out of them.
            moved(
                    "copies of gradients to and from buckets",
                    0,
                    6.0 * work.precision().weightBytes() * mine() / layout.accumulation());
        }
    }

    /** Parameters of this rank before data-parallel sharding. */
    private double mine() {
        double all = model.parameters().total();
        double routed = (double) model.parameters().routedExperts() * model.expertLayers();
        return ((all - routed) + routed / layout.ep()) / layout.tp() / layout.pp();
    }

    private double optimizer() {
        boolean divided = layout.data() != DataParallel.DDP && layout.data() != DataParallel.NONE;
        double p = mine() / (divided ? layout.shard() : 1);
        int passes = passes(work.optimizer());
        double seconds = passes * work.precision().weightBytes() * p / gpu.memory();
        lines.add(
                new TimeLine(
                        "optimizer step",
                        seconds,
                        String.format(
                                Locale.ROOT,
                                "%s reads and writes %d times %s parameters × %d bytes at %.2f TB/s",
                                work.optimizer().word(),
                                passes,
                                billions(p),
                                work.precision().weightBytes(),
                                gpu.memory() / 1e12)));
        return seconds;
    }

    /**
     * How often a parameter-sized tensor is read or written. torch/optim: the foreach AdamW runs
     * eight kernels over two to four tensors, the fused one reads four and writes three.
     */
    private static int passes(Optimizer optimizer) {
        return switch (optimizer) {
            case ADAMW -> 20;
            case ADAMW_FUSED -> 7;
            case ADAM8BIT -> 6;
            case SGD -> 3;
            case SGD_MOMENTUM -> 5;
            case ADAFACTOR -> 24;
            case LION -> 14;
            case MUON -> 40;
        };
    }

    private void moved(String text, double there, double back) {
        add(
                text,
                there / gpu.memory(),
                back / gpu.memory(),
                "%.2f GB at %.2f TB/s",
                (there + back) / 1e9,
                gpu.memory() / 1e12);
    }

    private void add(String text, double there, double back, String formula, Object... values) {
        forward += there;
        backward += back;
        lines.add(new TimeLine(text, there + back, String.format(Locale.ROOT, formula, values)));
    }

    private static String billions(double number) {
        return String.format(Locale.ROOT, "%.3g billion", number / 1e9);
    }
}
