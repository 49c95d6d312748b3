package io.gpuflow.tool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The beginning and the end of a stream of any length, in bounded memory. */
final class Ends {
    private final int half;
    private byte[] head = new byte[0];
    private int headLength;

    /** A ring once it is full: the oldest byte is at {@code tailNext}. */
    private byte[] tail = new byte[0];

    private int tailNext;
    private long total;

    Ends(int limit) {
        half = Math.max(1, limit / 2);
    }

    void add(byte[] bytes, int count) {
        total += count;
        int toHead = Math.min(count, half - headLength);
        if (toHead > 0) {
            head = grown(head, headLength + toHead);
            System.arraycopy(bytes, 0, head, headLength, toHead);
            headLength += toHead;
        }
        addToTail(bytes, Math.max(0, toHead), count);
    }

    private void addToTail(byte[] bytes, int from, int to) {
        int start = Math.max(from, to - half);
        while (start < to) {
            if (tailNext == tail.length && tail.length < half) {
                tail = grown(tail, Math.min(half, tailNext + to - start));
            }
            if (tailNext == half) {
                tailNext = 0;
            }
            int count = Math.min(to - start, tail.length - tailNext);
            System.arraycopy(bytes, start, tail, tailNext, count);
            tailNext += count;
            start += count;
        }
    }

    private byte[] grown(byte[] array, int needed) {
        if (needed <= array.length) {
            return array;
        }
        return Arrays.copyOf(array, Math.min(half, Math.max(needed, array.length * 2)));
    }

    long total() {
        return total;
    }

    boolean cut() {
        return total > headLength + tailLength();
    }

    private long tailLength() {
        return Math.min(total - headLength, half);
    }

    /** The last bytes, at most as many as are kept. */
    byte[] end(long wanted) {
        int length = (int) Math.min(wanted, tailLength());
        byte[] end = new byte[length];
        for (int i = 0; i < length; i++) {
            int at = tailNext - length + i;
            end[i] = tail[at < 0 ? at + half : at];
        }
        return end;
    }

    String text() {
        byte[] end = end(Long.MAX_VALUE);
        String gap = cut() ? gap(total - headLength - end.length) : "";
        byte[] middle = gap.getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, headLength + middle.length + end.length);
        System.arraycopy(middle, 0, all, headLength, middle.length);
        System.arraycopy(end, 0, all, headLength + middle.length, end.length);
        return new String(all, StandardCharsets.UTF_8);
    }

    /** The line that stands where bytes were left out. */
    static String gap(long bytes) {
        return "\n[gpuflow left out " + bytes + " bytes here]\n";
    }
}
