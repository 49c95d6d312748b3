package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/** A GPU with all weights: alone, or under DistributedDataParallel. */
final class Whole implements Keeping {
    private final Memory memory;
    private final boolean buckets;
    private List<Parameter> parameters = List.of();

    /**
     * @param buckets DDP's: a copy of the gradients, as large as they are, that stays
     *     (gradient_as_bucket_view=False, the default)
     */
    Whole(Memory memory, boolean buckets) {
        this.memory = memory;
        this.buckets = buckets;
    }

    @Override
    public void setUp(Weights weights) {
        parameters = weights.all();
        for (Parameter p : parameters) {
            p.storage = memory.allocate(p.name, Part.WEIGHTS, p.rows, p.columns, p.width);
        }
        if (buckets) {
            Buckets.sizes(parameters)
                    .forEach(
                            bytes ->
                                    memory.allocate(
                                            "DDP: gradient buckets", Part.BUFFERS, 1, bytes, 1));
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
