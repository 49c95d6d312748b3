package io.gpuflow.advise;

import io.gpuflow.advise.Transfer.Hides;
import java.util.ArrayList;
import java.util.List;

/**
 * What a layout sends in an optimizer step. Volumes by ring cost: all-reduce moves 2(n−1)/n of the
 * message over each link, all-gather and reduce-scatter (n−1)/n (ZeRO: arXiv 1910.02054 section 7;
 * tensor parallelism: arXiv 1909.08053; pipelines: arXiv 2104.04473).
 */
final class Traffic {
    /** bucket_cap_mb of DistributedDataParallel. */
    static final double DDP_BUCKET = 25 * 1024 * 1024;

    private final ModelShape model;
    private final Workload work;
    private final Layout layout;
    private final RankOrder order;
    private final List<Transfer> all = new ArrayList<>();
    private final int steps;

    private Traffic(ModelShape model, Workload work, Layout layout, RankOrder order) {
        this.model = model;
        this.work = work;
        this.layout = layout;
        this.order = order;
        this.steps = layout.accumulation();
    }

    static List<Transfer> of(ModelShape model, Workload work, Layout layout, RankOrder order) {
        return new Traffic(model, work, layout, order).transfers();
    }

    private List<Transfer> transfers() {
        if (layout.dp() > 1) {
            switch (layout.data()) {
                case DDP, NONE -> ddp();
                case ZERO1, ZERO2 -> zero();
                case ZERO3, FSDP2, FSDP2_NO_RESHARD -> sharded();
            }
        }
        tensor();
        pipeline();
        context();
        experts();
        return List.copyOf(all);
    }

    /** Parameters of this rank before data-parallel sharding, those of the layers and the rest. */
    private double inLayers() {
        ParameterCount p = model.parameters();
        double routed = (double) p.routedExperts() * model.expertLayers();
        double body = (double) p.total() - p.embedding() - p.head() - routed;
        return (body + routed / layout.ep()) / layout.tp() / layout.pp();
    }

    /** Embedding and output layer: each on one stage of a pipeline. */
    private double outside() {
        ParameterCount p = model.parameters();
        double both = (double) p.embedding() + p.head();
        return (layout.pp() > 1 ? Math.max(p.embedding(), p.head()) : both) / layout.tp();
    }

    /** Gradients as they are reduced: 4 bytes with fp32 weights, else those of the weights. */
    private int gradientBytes() {
        return work.precision().weightBytes();
    }

    private void ddp() {
        double bytes = (inLayers() + outside()) * gradientBytes();
        // The embedding's gradient comes last and is one bucket of its own when it is large.
        double last =
                Math.max(
                        DDP_BUCKET,
                        (double) model.parameters().embedding() / layout.tp() * gradientBytes());
        last = Math.min(last, bytes);
        Scope scope = order.data(layout.dp());
        double buckets = Math.max(1, Math.ceil((bytes - last) / DDP_BUCKET));
        if (bytes > last) {
            add(
                    "all-reduce of gradients, a bucket at a time",
                    "all_reduce",
                    layout.dp(),
                    scope,
                    (bytes - last) / buckets,
                    buckets,
                    Hides.BACKWARD);
        }
        add(
                "all-reduce of the last bucket (embedding)",
                "all_reduce",
                layout.dp(),
                scope,
                last,
                1,
                Hides.NOTHING);
    }

    private void zero() {
        double parameters = inLayers() + outside();
        Scope scope = order.data(layout.dp());
        // Stage 2 keeps no whole gradients, so it reduces in every micro-step.
        int times = layout.data() == DataParallel.ZERO2 ? steps : 1;
        double reduced = work.precision().computeBytes();
        add(
                "reduce-scatter of gradients",
                "reduce_scatter",
                layout.dp(),
                scope,
                parameters * reduced / model.layers(),
                (double) model.layers() * times,
                Hides.BACKWARD);
        add(
                "all-gather of updated weights",
                "all_gather",
                layout.dp(),
                scope,
                parameters * work.precision().computeBytes() / model.layers(),
                model.layers(),
                Hides.NOTHING);
    }

    private void sharded() {
        int n = layout.shard();
        Scope scope = order.data(n);
        double weights = work.precision().computeBytes();
        double layer = inLayers() / (layersHere());
        double count = layersHere();
        boolean again = layout.data() != DataParallel.FSDP2_NO_RESHARD;
        // Gradients are reduced in fp32 by the mixed-precision policy, by ZeRO-3 in 16 bit.
        double reduced =
                layout.data() == DataParallel.ZERO3
                        ? work.precision().computeBytes()
                        : gradientBytes();
        if (n > 1) {
            add(
                    "all-gather of a layer's weights, forward",
                    "all_gather",
                    n,
                    scope,
                    layer * weights,
                    count * steps,
                    Hides.FORWARD);
            add(
                    "all-gather of embedding and output layer",
                    "all_gather",
                    n,
                    scope,
                    outside() * weights,
                    steps,
                    Hides.NOTHING);
            if (again) {
                add(
                        "all-gather of a layer's weights, backward",
                        "all_gather",
                        n,
                        scope,
                        layer * weights,
                        count * steps,
                        Hides.BACKWARD);
            }
            add(
                    "reduce-scatter of a layer's gradients",
                    "reduce_scatter",
                    n,
                    scope,
                    layer * reduced,
                    count * steps,
                    Hides.BACKWARD);
            add(
                    "reduce-scatter of embedding's and output layer's gradients",
                    "reduce_scatter",
                    n,
                    scope,
                    outside() * reduced,
                    steps,
                    Hides.NOTHING);
        }
        if (layout.hybrid()) {
            int copies = layout.dp() / n;
            add(
                    "all-reduce of a shard's gradients between its copies",
                    "all_reduce",
                    copies,
                    order.replicas(),
                    layer * reduced / n,
                    count * steps,
                    Hides.BACKWARD);
            add(
                    "all-reduce of the rest's",
                    "all_reduce",
                    copies,
                    order.replicas(),
                    outside() * reduced / n,
                    steps,
                    Hides.NOTHING);
        }
    }

    private double layersHere() {
        return Math.ceil((double) model.layers() / layout.pp());
    }

    private double activation() {
        return (double) work.tokens()
                / layout.cp()
                * model.hidden()
                * work.precision().computeBytes();
    }

    private void tensor() {
        int t = layout.tp();
        if (t == 1) {
            return;
        }
        double times = layersHere() * steps * (work.recompute() ? 6 : 4);
        if (layout.sequenceParallel()) {
            add(
                    "all-gather before attention and feed-forward (tensor parallelism)",
                    "all_gather",
                    t,
                    order.tensor(),
                    activation(),
                    times,
                    Hides.NOTHING);
            add(
                    "reduce-scatter after them",
                    "reduce_scatter",
                    t,
                    order.tensor(),
                    activation(),
                    times,
                    Hides.NOTHING);
        } else {
            add(
                    "all-reduce after attention and feed-forward (tensor parallelism)",
                    "all_reduce",
                    t,
                    order.tensor(),
                    activation(),
                    times,
                    Hides.NOTHING);
        }
    }

    private void pipeline() {
        if (layout.pp() > 1) {
            double message = activation() / (layout.sequenceParallel() ? layout.tp() : 1);
            double calls = 2.0 * steps * layout.virtualStages();
            add(
                    "activations and their gradients to the next stage",
                    "sendrecv",
                    2,
                    order.pipeline(),
                    message,
                    calls,
                    Hides.NOTHING);
        }
    }

    private void context() {
        int c = layout.cp();
        if (c > 1) {
            double keys =
                    2.0
                            * work.tokens()
                            * model.keyWidth()
                            / layout.tp()
                            * work.precision().computeBytes();
            add(
                    "keys and values around the ring, forward",
                    "all_gather",
                    c,
                    order.context(),
                    keys,
                    layersHere() * steps,
                    Hides.FORWARD);
            add(
                    "keys, values and their gradients, backward",
                    "all_gather",
                    c,
                    order.context(),
                    2 * keys,
                    layersHere() * steps,
                    Hides.BACKWARD);
        }
    }

    private void experts() {
        int e = layout.ep();
        if (e > 1) {
            double message = activation() * model.experts().topK();
            double calls = 4.0 * model.expertLayers() / layout.pp() * steps;
            add(
                    "tokens to experts and back",
                    "alltoall",
                    e,
                    order.data(Math.min(e, layout.dp())),
                    message,
                    calls,
                    Hides.NOTHING);
        }
    }

    private void add(
            String text,
            String op,
            int ranks,
            Scope scope,
            double bytes,
            double calls,
            Hides hides) {
        if (bytes > 0 && calls > 0 && ranks > 1) {
            all.add(new Transfer(text, op, ranks, scope, bytes, calls, hides));
        }
    }
}
