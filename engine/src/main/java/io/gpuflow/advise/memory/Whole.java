package io.gpuflow.advise.memory;

import java.util.ArrayList;
import java.util.List;

/** A GPU with all weights: alone, or under DistributedDataParallel. */
final class Whole implements Keeping {
    private final Memory memory;
    private final boolean buckets;
    private final boolean oldOnesStay;
    private List<Parameter> parameters = List.of();
    private List<Storage> inUse = List.of();
    private List<Storage> old = List.of();
    private int steps;

    /**
     * @param buckets DDP's: a copy of the gradients, as large as they are, that stays
     *     (gradient_as_bucket_view=False, the default)
     * @param oldOnesStay the buckets of the first step are still held during the second
     */
    Whole(Memory memory, boolean buckets, boolean oldOnesStay) {
        this.memory = memory;
        this.buckets = buckets;
        this.oldOnesStay = oldOnesStay;
    }

    @Override
    public void setUp(Weights weights) {
        parameters = weights.all();
        for (Parameter p : parameters) {
            p.storage = memory.allocate(p.name, Part.WEIGHTS, p.rows, p.columns, p.width);
        }
        inUse = makeBuckets();
    }

    private List<Storage> makeBuckets() {
        List<Storage> made = new ArrayList<>();
        for (long bytes : buckets ? Buckets.sizes(parameters) : List.<Long>of()) {
            made.add(memory.allocate("DDP: gradient buckets", Part.BUFFERS, 1, bytes, 1));
        }
        return made;
    }

    /** Before the second step the buckets are made anew, in the order in which gradients came. */
    @Override
    public void beginForward() {
        if (buckets && oldOnesStay && steps == 1 && old.isEmpty()) {
            old = inUse;
            inUse = makeBuckets();
        }
    }

    @Override
    public List<OptimizerStep.Local> local(List<Parameter> some) {
        return some.stream()
                .map(p -> new OptimizerStep.Local(p.rows, p.columns, p.width, p.matrix))
                .toList();
    }

    @Override
    public void take(Parameter parameter) {}

    @Override
    public void dropGradients() {
        steps++;
        old.forEach(Storage::release);
        old = List.of();
        for (Parameter p : parameters) {
            if (p.gradient != null) {
                p.gradient.release();
                p.gradient = null;
            }
        }
    }

    /** DDP's buckets: 25 MiB each, filled from the last parameter on. */
    static final class Buckets {
        private static final long CAPACITY = 25L << 20;

        private Buckets() {}

        static List<Long> sizes(List<Parameter> parameters) {
            List<Long> sizes = new ArrayList<>();
            long bucket = 0;
            for (int i = parameters.size() - 1; i >= 0; i--) {
                Parameter p = parameters.get(i);
                bucket += p.elements() * p.width;
                if (bucket >= CAPACITY || i == 0) {
                    sizes.add(bucket);
                    bucket = 0;
                }
            }
            return sizes;
        }
    }
}
