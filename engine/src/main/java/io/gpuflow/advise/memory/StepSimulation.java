package io.gpuflow.advise.memory;

import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Workload;
import java.util.ArrayList;
import java.util.List;

/** Runs a few training steps on a counted memory; the first one makes the optimizer's states. */
final class StepSimulation {
    /**
     * cuBLAS on Hopper: 32 MiB for the forward's thread and for autograd's (CUDABlas workspaces).
     */
    private static final long WORKSPACE = 32L << 20;

    private final ModelShape model;
    private final Workload work;
    private final Layout layout;
    private final Share share;
    private final Memory memory;
    private final boolean bucketsTwice;
    private final int steps;

    StepSimulation(
            ModelShape model,
            Workload work,
            Layout layout,
            int stage,
            Memory memory,
            boolean bucketsTwice,
            int steps) {
        this.steps = steps;
        this.bucketsTwice = bucketsTwice;
        this.model = model;
        this.work = work;
        this.layout = layout;
        this.share = Share.of(model, work, layout, stage);
        this.memory = memory;
    }

    void run() {
        Tape tape = new Tape(memory);
        boolean sharded = layout.data().fsdp2() || layout.data().deepSpeed();
        Precision precision = work.precision();
        boolean autocast = precision.casts() && !sharded;
        int width = autocast ? precision.weightBytes() : precision.computeBytes();
        Keeping keeping = keeping(precision);
        Weights weights = new Weights(model, share, width);
        memory.phase("start");
        keeping.setUp(weights);
        memory.allocator().giveBack();
        Storage ids =
                memory.allocate("token ids", Part.ACTIVATIONS, work.microBatch(), work.seq(), 8);
        memory.allocate("cuBLAS workspace", Part.WORKSPACE, 1, WORKSPACE, 1);
        memory.allocate("cuBLAS workspace", Part.WORKSPACE, 1, WORKSPACE, 1);
        List<Parameter> layers = weights.layers.stream().flatMap(l -> l.all.stream()).toList();
        OptimizerStep optimizer =
                new OptimizerStep(
                        work.optimizer(),
                        memory,
                        keeping.local(layers),
                        keeping.local(weights.rest));
        Ops ops = new Ops(tape, autocast, precision.computeBytes(), keeping);
        for (int step = 0; step < steps; step++) {
            // A second micro-step meets the gradients of the first; more change nothing.
            int rounds = layout.pp() == 1 && layout.accumulation() > 1 ? 2 : 1;
            for (int round = 0; round < rounds; round++) {
                micro(tape, ops, keeping, weights, ids);
            }
            memory.phase("optimizer step");
            keeping.beforeStep();
            optimizer.run();
            keeping.dropGradients();
        }
    }

    private void micro(Tape tape, Ops ops, Keeping keeping, Weights weights, Storage ids) {
        memory.phase("forward");
        keeping.beginForward();
        List<Value> results = new ArrayList<>();
        int inFlight = share.first() ? layout.inFlight() : 1;
        for (int i = 0; i < inFlight; i++) {
            tape.fresh(Part.TEMPORARY);
            Decoder decoder = new Decoder(model, share, weights, work, ops, keeping);
            results.add(decoder.forward(ids, share.first() ? null : received(tape)));
            ops.endForward();
        }
        memory.phase("backward");
        for (Value result : results) {
            tape.fresh(Part.TEMPORARY);
            tape.at("backward");
            Storage seed = tape.temporary("gradient", result.rows, result.columns, result.width);
            tape.backward(result, seed);
            result.drop();
        }
        keeping.endBackward();
    }

    /** What the previous pipeline stage sent. */
    private Value received(Tape tape) {
        tape.at("pipeline");
        int width = work.precision() == Precision.FP32 ? 4 : 2;
        Storage storage = tape.temporary("received", share.tokens(), model.hidden(), width);
        Node leaf = tape.leaf(-1, Storage::release);
        return new Value(storage, share.tokens(), model.hidden(), width, leaf, 0);
    }

    private Keeping keeping(Precision precision) {
        if (layout.data().fsdp2()) {
            int kept = precision.weightBytes();
            boolean reshard = layout.data() == DataParallel.FSDP2;
            return new Sharded(memory, layout.shard(), reshard, kept, kept);
        }
        if (layout.data().deepSpeed()) {
            return new Partitioned(memory, layout, precision);
        }
        return new Whole(memory, layout.data() == DataParallel.DDP, bucketsTwice);
    }
}
