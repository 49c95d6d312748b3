package io.gpuflow.advise;

import java.util.List;

/** Runs two training steps on a counted memory: the first, which makes the states, and one more. */
final class StepSimulation {
    private static final int STEPS = 4;

    /**
     * cuBLAS on Hopper: 32 MiB for the forward's thread and for autograd's (CUDABlas workspaces).
     */
    private static final long WORKSPACE = 32L << 20;

    private final ModelShape model;
    private final Workload work;
    private final Layout layout;
    private final Share share;
    private final Memory memory;

    StepSimulation(ModelShape model, Workload work, Layout layout, int stage, Memory memory) {
        this.model = model;
        this.work = work;
        this.layout = layout;
        this.share = Share.of(model, work, layout, stage);
        this.memory = memory;
    }

    void run() {
        Tape tape = new Tape(memory);
        boolean sharded = layout.data().fsdp2();
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
        for (int step = 0; step < STEPS; step++) {
            micro(tape, ops, keeping, weights, ids);
            memory.phase("optimizer step");
            optimizer.run();
            keeping.dropGradients();
        }
    }

    private void micro(Tape tape, Ops ops, Keeping keeping, Weights weights, Storage ids) {
        Decoder decoder = new Decoder(model, share, weights, work, ops, keeping);
        memory.phase("forward");
        tape.fresh(Part.TEMPORARY);
        keeping.beginForward();
        Value loss = decoder.forward(ids, null);
        ops.endForward();
        memory.phase("backward");
        tape.fresh(Part.TEMPORARY);
        tape.backward(loss, tape.temporary("gradient", 1, 1, 4));
        loss.drop();
        keeping.endBackward();
    }

    private Keeping keeping(Precision precision) {
        if (layout.data().fsdp2()) {
            int kept = precision.weightBytes();
            boolean reshard = layout.data() == DataParallel.FSDP2;
            return new Sharded(memory, layout.shard(), reshard, kept, kept);
        }
        return new Whole(memory, layout.data() == DataParallel.DDP);
    }
}
