package io.gpuflow.advise.memory;

/**
 * A weight of the model: the value that the forward pass reads, and what becomes of its gradient.
 *
 * @param width bytes an element in the computation; the optimizer may see another
 */
final class Parameter {
    /** Takes a gradient: the hook of DDP or FSDP. */
    interface Taker {
        void take(Parameter parameter);
    }

    final String name;
    final long rows;
    final long columns;
    final int width;
    final boolean matrix;

    /** Where its numbers are; of size 0 when the wrapper accounts for them. */
    Storage storage;

    Storage gradient;

    Parameter(String name, long rows, long columns, int width, boolean matrix) {
        this.name = name;
        this.rows = rows;
        this.columns = columns;
        this.width = width;
        this.matrix = matrix;
    }

    long elements() {
        return rows * columns;
    }
}
