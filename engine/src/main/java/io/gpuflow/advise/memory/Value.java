package io.gpuflow.advise.memory;

/** A tensor in a program: a view of a storage, and the node that computed it. */
final class Value {
    final Storage storage;
    final long rows;
    final long columns;
    final int width;
    final Node node;
    final int output;
    private boolean dying;

    Value(Storage storage, long rows, long columns, int width, Node node, int output) {
        this.storage = storage;
        this.rows = rows;
        this.columns = columns;
        this.width = width;
        this.node = node;
        this.output = output;
    }

    /** The program's variable ends with the operation that this is given to. */
    Value last() {
        dying = true;
        return this;
    }

    /** The variable lives on, whatever was said before. */
    Value stays() {
        dying = false;
        return this;
    }

    boolean dying() {
        return dying;
    }

    /** The program's variable ends. */
    void drop() {
        storage.release();
    }

    long elements() {
        return rows * columns;
    }
}
