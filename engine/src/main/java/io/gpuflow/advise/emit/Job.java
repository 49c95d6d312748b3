package io.gpuflow.advise.emit;

import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Placement;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Workload;

/**
 * What the files are for.
 *
 * @param config the model's own config.json; null when it was described in another way
 * @param gpuBytes memory of one GPU; null when not known
 */
public record Job(
        ModelShape model,
        Workload workload,
        Layout layout,
        Placement placement,
        String config,
        Long gpuBytes) {

    /** Only data is divided: no tensor, pipeline, context or expert parallelism. */
    boolean dataOnly() {
        return layout.tp() * layout.pp() * layout.cp() * layout.ep() == 1;
    }

    boolean fsdp2() {
        return layout.data().fsdp2();
    }

    boolean deepSpeed() {
        return layout.data().deepSpeed();
    }

    /** One copy of the model a rank: DDP, or a single rank. */
    boolean whole() {
        return layout.data() == DataParallel.DDP || layout.data() == DataParallel.NONE;
    }

    boolean offloads() {
        return layout.weightOffload() != Layout.Offload.NONE
                || layout.optimizerOffload() != Layout.Offload.NONE;
    }

    /** The sizes were given, or follow from a description; not a mere count of parameters. */
    boolean shapeKnown() {
        return !model.family().equals("parameters");
    }

    /** Sequences in an optimizer step. */
    int globalBatch() {
        return workload.microBatch() * layout.dp() * layout.accumulation();
    }

    /** 4 sequences × 2 ranks × 1 micro-step = 8 sequences of 2048 tokens. */
    String batchWords() {
        return "%d sequences × %d data-parallel ranks × %d micro-steps = %d sequences of %d tokens"
                .formatted(
                        workload.microBatch(),
                        layout.dp(),
                        layout.accumulation(),
                        globalBatch(),
                        workload.seq());
    }

    /** tp+fsdp2 of llama on 8 GPUs, mixed, adamw. */
    String about() {
        return "%s of %s on %d GPUs, %s, %s"
                .formatted(
                        layout.strategy(),
                        // It ends up in comments of scripts.
                        model.family().replaceAll("[^A-Za-z0-9_.-]", "_"),
                        placement.world(),
                        workload.precision().word(),
                        workload.optimizer().word());
    }

    /** The weights alone take more than half of a GPU: they are built in host memory. */
    boolean builtOnHost() {
        double bytes = (double) model.parameters().total() * workload.precision().weightBytes();
        return layout.weightOffload() != Layout.Offload.NONE
                || (fsdp2() && gpuBytes != null && bytes > gpuBytes / 2.0);
    }

    boolean optimizer(Optimizer optimizer) {
        return workload.optimizer() == optimizer;
    }

    boolean precision(Precision precision) {
        return workload.precision() == precision;
    }
}
