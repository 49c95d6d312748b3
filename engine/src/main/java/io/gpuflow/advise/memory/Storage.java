package io.gpuflow.advise.memory;

/**
 * A piece of GPU memory with the number of those who hold it.
 *
 * <p>A size of 0 stands for a tensor that somebody else accounts for, or that is never computed.
 */
final class Storage {
    final String label;
    final long rows;
    final long columns;
    final int width;
    Part part;
    private final Memory memory;
    private CachingAllocator.Block block;
    private int holders = 1;

    Storage(Memory memory, String label, Part part, long rows, long columns, int width) {
        this.memory = memory;
        this.label = label;
        this.part = part;
        this.rows = rows;
        this.columns = columns;
        this.width = width;
    }

    long bytes() {
        return rows * columns * width;
    }

    void placed(CachingAllocator.Block at) {
        block = at;
    }

    Storage hold() {
        holders++;
        return this;
    }

    boolean shared() {
        return holders > 1;
    }

    void release() {
        holders--;
        if (holders == 0 && block != null) {
            memory.freed(this, block);
            block = null;
        }
        if (holders < 0) {
            throw new IllegalStateException("released twice: " + label);
        }
    }

    /** Of the peak's accounting: this one is now something else. */
    void become(Part other) {
        if (part != other && block != null) {
            memory.moved(this, other);
        }
        part = other;
    }
}
