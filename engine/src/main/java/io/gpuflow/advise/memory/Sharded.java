package io.gpuflow.advise.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * FSDP2 (fully_shard on every layer and on the model), by torch/distributed/fsdp/_fully_shard: a
 * group's weights are gathered into one flat buffer and copied out of it; in the forward the buffer
 * stays until the next group is copied out; the backward gathers one group ahead; gradients are
 * reduced from a flat buffer that stays until the next one is.
 */
final class Sharded implements Keeping {
    private static final int GATHER = 1;
    private static final int REDUCE = 2;

    private final Memory memory;
    private final int ranks;
    private final boolean reshard;
    private final int keptWidth;
    private final int reduceWidth;
    private final List<Group> groups = new ArrayList<>();
    private Storage lastGathered;
    private Storage lastReduced;

    /** The weights of a layer, or those outside of the layers. */
    private static final class Group {
        final List<Parameter> parameters;
        final List<Storage> unsharded = new ArrayList<>();
        Storage gathered;
        Storage gradient;

        Group(List<Parameter> parameters) {
            this.parameters = parameters;
        }

        long elements() {
            return parameters.stream().mapToLong(Parameter::elements).sum();
        }

        int width() {
            return parameters.get(0).width;
        }
    }

    /**
     * @param ranks that divide the weights
     * @param reshard gathered weights are given up after the forward
     * @param keptWidth bytes of a weight as the optimizer sees it
     * @param reduceWidth bytes of a gradient while it is reduced
     */
    Sharded(Memory memory, int ranks, boolean reshard, int keptWidth, int reduceWidth) {
        this.memory = memory;
        this.ranks = ranks;
        this.reshard = reshard;
        this.keptWidth = keptWidth;
        this.reduceWidth = reduceWidth;
    }

    @Override
    public void setUp(Weights weights) {
        weights.layers.forEach(l -> groups.add(new Group(l.all)));
        groups.add(new Group(weights.rest));
        groups.forEach(this::divide);
    }

    /**
     * A group is made whole and then divided weight by weight; larger models are made elsewhere.
     */
    private void divide(Group group) {
        List<Storage> whole = new ArrayList<>();
        for (Parameter p : group.parameters) {
            p.storage = memory.allocate("", Part.WEIGHTS, 0, 0, 1);
            whole.add(memory.allocate("whole", Part.WEIGHTS, p.rows, p.columns, keptWidth));
        }
        for (int i = 0; i < whole.size(); i++) {
            Parameter p = group.parameters.get(i);
            memory.allocate(p.name + ", shard", Part.WEIGHTS, rows(p), columns(p), keptWidth);
            whole.get(i).release();
        }
    }

    /** Divided along the first dimension; what does not divide is padded. */
    private long rows(Parameter p) {
        return p.rows == 1 ? 1 : (p.rows + ranks - 1) / ranks;
    }

    private long columns(Parameter p) {
        return p.rows == 1 ? (p.columns + ranks - 1) / ranks : p.columns;
    }

    @Override
    public List<OptimizerStep.Local> local(List<Parameter> some) {
        return some.stream()
                .map(p -> new OptimizerStep.Local(rows(p), columns(p), keptWidth, p.matrix))
                .toList();
    }

    @Override
    public void beforeForward(int index) {
        Group group = groups.get(index);
        gather(group);
        if (group.gathered == null) {
            return;
        }
        release(lastGathered);
        copyOut(group);
        lastGathered = group.gathered;
        group.gathered = null;
    }

    @Override
    public void afterForward(int index) {
        if (reshard) {
            reshard(groups.get(index));
        }
        if (index == groups.size() - 1) {
            release(lastGathered);
            lastGathered = null;
        }
    }

    @Override
    public void beforeBackward(int index) {
        Group group = groups.get(index);
        gather(group);
        if (group.gathered != null) {
            copyOut(group);
            group.gathered.release();
            group.gathered = null;
        }
        int next = index - 1;
        if (next >= 0) {
            gather(groups.get(next));
        }
    }

    @Override
    public void afterBackward(int index) {
        reduce(groups.get(index));
    }

    @Override
    public void endBackward() {
        reduce(groups.get(groups.size() - 1));
        release(lastReduced);
        lastReduced = null;
    }

    private void gather(Group group) {
        if (group.gathered == null && group.unsharded.isEmpty()) {
            group.gathered =
                    memory.allocate(
                            "FSDP2: gathered weights, flat",
                            Part.BUFFERS,
                            1,
                            group.elements(),
                            group.width(),
                            GATHER);
        }
    }

    private void copyOut(Group group) {
        for (Parameter p : group.parameters) {
            group.unsharded.add(
                    memory.allocate(
                            "FSDP2: gathered weights", Part.BUFFERS, p.rows, p.columns, p.width));
        }
    }

    private void reshard(Group group) {
        group.unsharded.forEach(Storage::release);
        group.unsharded.clear();
    }

    private void reduce(Group group) {
        reshard(group);
        release(lastReduced);
        lastReduced =
                memory.allocate(
                        "FSDP2: gradients to reduce",
                        Part.BUFFERS,
                        1,
                        group.elements(),
                        reduceWidth);
        for (Parameter p : group.parameters) {
            release(p.gradient);
            p.gradient = null;
        }
        long shard = (group.elements() + ranks - 1) / ranks;
        Storage reduced =
                memory.allocate("gradients, shard", Part.GRADIENTS, 1, shard, reduceWidth, REDUCE);
        if (reduceWidth != keptWidth) {
            Storage cast =
                    memory.allocate(
                            "gradients, shard", Part.GRADIENTS, 1, shard, keptWidth, REDUCE);
            reduced.release();
            reduced = cast;
        }
        if (group.gradient == null) {
            group.gradient = reduced;
        } else {
            reduced.release();
        }
    }

    private static void release(Storage storage) {
        if (storage != null) {
            storage.release();
        }
    }

    /** Until the optimizer has run, autograd's gradients of a group wait for its reduction. */
    @Override
    public void take(Parameter parameter) {}

    @Override
    public void dropGradients() {
        for (Group group : groups) {
            release(group.gradient);
            group.gradient = null;
        }
    }
}
