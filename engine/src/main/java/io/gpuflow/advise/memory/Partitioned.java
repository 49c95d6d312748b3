package io.gpuflow.advise.memory;

import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Precision;
import java.util.ArrayList;
import java.util.List;

/**
 * DeepSpeed's ZeRO: 16-bit weights and gradients, fp32 master weights and moments divided over the
 * ranks, by deepspeed/runtime/zero/stage_1_and_2.py and stage3.py with their default buckets.
 */
final class Partitioned implements Keeping {
    /** Elements of reduce_bucket_size, allgather_bucket_size, stage3_prefetch_bucket_size. */
    private static final long BUCKET = 500_000_000L;

    private final Memory memory;
    private final Layout layout;
    private final Precision precision;
    private final int ranks;
    private final List<Storage> gathered = new ArrayList<>();
    private Weights weights;
    private Storage reducing;
    private Storage gradients;
    private long elements;

    Partitioned(Memory memory, Layout layout, Precision precision) {
        this.memory = memory;
        this.layout = layout;
        this.precision = precision;
        this.ranks = layout.shard();
    }

    private boolean full() {
        return layout.data() == DataParallel.ZERO3;
    }

    private int width() {
        return precision.computeBytes();
    }

    private long shard() {
        return (elements + ranks - 1) / ranks;
    }

    @Override
    public void setUp(Weights all) {
        weights = all;
        elements = all.all().stream().mapToLong(Parameter::elements).sum();
        for (Parameter p : all.all()) {
            p.storage =
                    full()
                            ? memory.allocate("", Part.WEIGHTS, 0, 0, 1)
                            : memory.allocate(p.name, Part.WEIGHTS, p.rows, p.columns, p.width);
        }
        if (full() && layout.weightOffload() == Layout.Offload.NONE) {
            memory.allocate("weights, shard", Part.WEIGHTS, 1, shard(), width());
        }
        boolean here = layout.optimizerOffload() == Layout.Offload.NONE;
        if (here && width() == 2) {
            memory.allocate("master weights, shard", Part.OPTIMIZER, 1, shard(), 4);
        }
        memory.allocate(
                "ZeRO: reduce bucket", Part.BUFFERS, 1, Math.min(BUCKET, elements), width());
    }

    /** The optimizer sees one flat fp32 partition. */
    @Override
    public List<OptimizerStep.Local> local(List<Parameter> some) {
        if (layout.optimizerOffload() != Layout.Offload.NONE) {
            return List.of();
        }
        long all = some.stream().mapToLong(Parameter::elements).sum();
        long part = (all + ranks - 1) / ranks;
        return part == 0 ? List.of() : List.of(new OptimizerStep.Local(1, part, 4, false));
    }

    @Override
    public void beforeForward(int group) {
        gather(group);
    }

    @Override
    public void afterForward(int group) {
        releaseGathered();
    }

    @Override
    public void beforeBackward(int group) {
        releaseGathered();
        gather(group);
    }

    private void gather(int group) {
        if (!full()) {
            return;
        }
        boolean root = group == weights.layers.size();
        List<Parameter> some = root ? weights.rest : weights.layers.get(group).all;
        long size = some.stream().mapToLong(Parameter::elements).sum();
        long ahead = Math.min(BUCKET, elements);
        gathered.add(memory.allocate("ZeRO: gathered", Part.BUFFERS, 1, size, width()));
        gathered.add(memory.allocate("ZeRO: gathered ahead", Part.BUFFERS, 1, ahead, width()));
    }

    private void releaseGathered() {
        gathered.forEach(Storage::release);
        gathered.clear();
    }

    /** Stage 1 keeps whole gradients; the others only what they own, once it is reduced. */
    @Override
    public void take(Parameter parameter) {
        if (layout.data() != DataParallel.ZERO1) {
            parameter.gradient.release();
            parameter.gradient = null;
        }
    }

    @Override
    public void beginForward() {
        boolean owned = layout.data() != DataParallel.ZERO1;
        if (owned && gradients == null && layout.optimizerOffload() == Layout.Offload.NONE) {
            gradients = memory.allocate("gradients, shard", Part.GRADIENTS, 1, shard(), width());
        }
    }

    @Override
    public void endBackward() {
        releaseGathered();
    }

    @Override
    public void beforeStep() {
        boolean here = layout.optimizerOffload() == Layout.Offload.NONE;
        if (here && width() == 2 && reducing == null) {
            reducing = memory.allocate("gradients, fp32 shard", Part.GRADIENTS, 1, shard(), 4);
        }
    }

    @Override
    public void dropGradients() {
        for (Parameter p : weights.all()) {
            if (p.gradient != null) {
                p.gradient.release();
                p.gradient = null;
            }
        }
        if (reducing != null) {
            reducing.release();
            reducing = null;
        }
        if (gradients != null) {
            gradients.release();
            gradients = null;
        }
    }
}
