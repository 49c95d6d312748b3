package io.gpuflow.advise.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The allocator that torch puts between a program and the GPU, by the rules of
 * c10/cuda/CUDACachingAllocator.cpp: sizes are rounded to 512 bytes; up to 1 MiB comes from
 * segments of 2 MiB, up to 10 MiB from segments of 20, more gets a segment of its own, a multiple
 * of 2 MiB; the smallest free block that suffices is taken and split; neighbours that are free are
 * joined; segments that are wholly free are given back only when the GPU has no more.
 */
final class CachingAllocator {
    /** The GPU's memory is exhausted, and giving back what is free did not help. */
    static final class OutOfMemory extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfMemory() {
            super(null, null, false, false);
        }
    }

    static final int COMPUTE = 0;

    private static final long ROUND = 512;
    private static final long SMALL = 1L << 20;
    private static final long SMALL_SEGMENT = 2L << 20;
    private static final long LARGE_SEGMENT = 20L << 20;
    private static final long OWN_SEGMENT = 10L << 20;

    /** A part of a segment; neighbours are linked. */
    static final class Block {
        private final long id;
        private final int pool;
        private long size;
        private Block before;
        private Block after;
        private boolean free;

        private Block(long id, int pool, long size) {
            this.id = id;
            this.pool = pool;
            this.size = size;
        }
    }

    private static final Comparator<Block> BY_SIZE =
            Comparator.<Block>comparingLong(b -> b.size).thenComparingLong(b -> b.id);

    private final Map<Integer, TreeSet<Block>> pools = new HashMap<>();
    private final long limit;
    private long ids;
    private long allocated;
    private long reserved;
    private long peakReserved;

    /**
     * @param limit bytes that the GPU has for this allocator
     */
    CachingAllocator(long limit) {
        this.limit = limit;
    }

    long allocated() {
        return allocated;
    }

    long peakReserved() {
        return peakReserved;
    }

    /**
     * @param stream blocks are only reused on the stream that allocated them
     */
    Block allocate(long bytes, int stream) {
        long size = Math.max(ROUND, (bytes + ROUND - 1) / ROUND * ROUND);
        int pool = 2 * stream + (size <= SMALL ? 0 : 1);
        TreeSet<Block> free = pools.computeIfAbsent(pool, p -> new TreeSet<>(BY_SIZE));
        Block block = free.ceiling(new Block(-1, pool, size));
        if (block == null) {
            block = segment(size, pool);
        } else {
            free.remove(block);
        }
        long rest = block.size - size;
        if (size <= SMALL ? rest >= ROUND : rest > SMALL) {
            split(block, size, rest, free);
        }
        block.free = false;
        allocated += block.size;
        return block;
    }

    private Block segment(long size, int pool) {
        long bytes = size;
        if (size <= SMALL) {
            bytes = SMALL_SEGMENT;
        } else if (size < OWN_SEGMENT) {
            bytes = LARGE_SEGMENT;
        } else {
            bytes = (size + SMALL_SEGMENT - 1) / SMALL_SEGMENT * SMALL_SEGMENT;
        }
        if (reserved + bytes > limit) {
            giveBack();
            if (reserved + bytes > limit) {
                throw new OutOfMemory();
            }
        }
        reserved += bytes;
        peakReserved = Math.max(peakReserved, reserved);
        return new Block(ids++, pool, bytes);
    }

    private void split(Block block, long size, long rest, TreeSet<Block> free) {
        Block remaining = new Block(ids++, block.pool, rest);
        remaining.before = block;
        remaining.after = block.after;
        if (block.after != null) {
            block.after.before = remaining;
        }
        block.after = remaining;
        block.size = size;
        remaining.free = true;
        free.add(remaining);
    }

    void free(Block block) {
        allocated -= block.size;
        TreeSet<Block> free = pools.get(block.pool);
        Block whole = block;
        Block before = block.before;
        if (before != null && before.free) {
            free.remove(before);
            join(before, block);
            whole = before;
        }
        Block after = whole.after;
        if (after != null && after.free) {
            free.remove(after);
            join(whole, after);
        }
        whole.free = true;
        free.add(whole);
    }

    private static void join(Block first, Block second) {
        first.size += second.size;
        first.after = second.after;
        if (second.after != null) {
            second.after.before = first;
        }
    }

    /** Gives wholly free segments back, as torch.cuda.empty_cache() does. */
    void giveBack() {
        for (TreeSet<Block> free : pools.values()) {
            free.removeIf(
                    b -> {
                        boolean whole = b.before == null && b.after == null;
                        reserved -= whole ? b.size : 0;
                        return whole;
                    });
        }
    }
}
