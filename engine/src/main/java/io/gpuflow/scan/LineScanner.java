package io.gpuflow.scan;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Runs the automaton over a stream and hands over the lines that hold a signature's text, and those
 * that follow while the receiver asks for more. Memory is one buffer, whatever the lines' length: a
 * line longer than the buffer is handed over in pieces.
 *
 * <p>A buffer is searched at four places at once: each step of the automaton waits for the one
 * before, so that a single walk leaves the processor idle most of the time. Lines that hold a text
 * are then walked a second time, in their order.
 */
final class LineScanner {
    /** Receives lines. */
    interface Receiver {
        /**
         * @param line valid during the call only
         * @return how many of the following lines are wanted even if they hold no text
         */
        int line(Line line);

        /** The end of the stream: its last bytes. */
        void end(byte[] buffer, int from, int to);
    }

    /** A line in the scanner's buffer. */
    static final class Line {
        byte[] buffer;

        /** Earlier lines may be looked at from here on. */
        int history;

        int start;
        int end;

        /** From 1, in what was scanned. */
        long number;

        /** Numbers of the texts found in it. */
        int[] texts = new int[16];

        int textCount;

        private void add(int[] found) {
            for (int text : found) {
                boolean known = false;
                for (int i = 0; i < textCount && !known; i++) {
                    known = texts[i] == text;
                }
                if (!known) {
                    if (textCount == texts.length) {
                        texts = Arrays.copyOf(texts, 2 * textCount);
                    }
                    texts[textCount++] = text;
                }
            }
        }
    }

    private static final int BUFFER = 1 << 20;
    private static final int HISTORY = 1 << 15;

    /** No text is longer; pieces of an overlong line overlap by this much. */
    private static final int OVERLAP = 512;

    /** Below this a buffer is walked once. */
    private static final int WORTH_SPLITTING = 1 << 12;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
    private static final long LOW = 0x7f7f7f7f7f7f7f7fL;

    private final byte[] classes;
    private final int[] next;
    private final int reporting;
    private final int[][] ends;
    private final int width;
    private final Receiver receiver;
    private final byte[] buffer = new byte[BUFFER];
    private final Line line = new Line();
    private int[] hits = new int[1024];
    private int hitCount;

    private long newlines;
    private int counted;
    private int wanted;
    private boolean longLines;

    LineScanner(Automaton automaton, Receiver receiver) {
        this.classes = automaton.classes;
        this.next = automaton.next;
        this.reporting = automaton.reporting;
        this.ends = automaton.ends;
        this.width = automaton.width;
        this.receiver = receiver;
        line.buffer = buffer;
    }

    /** Asks for the next lines whether or not they hold a text. */
    void want(int lines) {
        wanted = lines;
    }

    /** Newlines passed so far. */
    long newlines() {
        return newlines;
    }

    /** True when a line was longer than the buffer, so that its patterns saw pieces. */
    boolean longLines() {
        return longLines;
    }

    /**
     * Scans up to {@code limit} bytes.
     *
     * @return bytes scanned
     */
    long scan(InputStream in, long limit) throws IOException {
        int have = 0;
        int from = 0;
        long read = 0;
        boolean more = true;
        IOException broken = null;
        while (more) {
            int before = have;
            while (more && have < BUFFER) {
                int n;
                try {
                    n = in.read(buffer, have, (int) Math.min(BUFFER - have, limit - read));
                } catch (IOException e) {
                    // What came before the break is looked at first.
                    broken = e;
                    n = -1;
                }
                more = n > 0;
                have += Math.max(n, 0);
                read += Math.max(n, 0);
            }
            int end = have;
            if (more) {
                int newline = lastNewline(Math.max(from, before - 1), have);
                longLines |= newline < 0;
                end = newline < 0 ? have : newline + 1;
            }
            lines(from, end);
            if (!more) {
                receiver.end(buffer, 0, have);
            }
            boolean cut = end > 0 && buffer[end - 1] != '\n';
            int keep = Math.max(0, end - HISTORY);
            System.arraycopy(buffer, keep, buffer, 0, have - keep);
            from = Math.max(0, end - keep - (cut ? OVERLAP : 0));
            counted = end - keep;
            have -= keep;
        }
        if (broken != null) {
            throw broken;
        }
        return read;
    }

    private int lastNewline(int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Hands over the wanted lines of a range, in order. */
    private void lines(int from, int end) {
        hitCount = 0;
        search(from, end);
        int at = from;
        int h = 0;
        while (at < end) {
            if (wanted > 0) {
                at = handOver(at, end);
                continue;
            }
            while (h < hitCount && hits[h] <= at) {
                h++;
            }
            if (h == hitCount) {
                break;
            }
            int newline = lastNewline(at, hits[h] - 1);
            at = handOver(newline < 0 ? at : newline + 1, end);
        }
        count(end);
    }

    /** Walks one line, collects its texts, hands it over and returns the start of the next. */
    private int handOver(int start, int end) {
        line.textCount = 0;
        int s = reporting;
        int i = start;
        boolean complete = false;
        while (i < end && !complete) {
            s = next[s + classes[buffer[i++] & 255]];
            if (s > reporting) {
                line.add(ends[(s - reporting) / width]);
            }
            complete = s == reporting;
        }
        count(start);
        line.history = 0;
        line.start = start;
        line.end = complete ? i - 1 : i;
        line.number = newlines + 1;
        wanted = Math.max(wanted - 1, receiver.line(line));
        return i;
    }

    /** Notes where texts end, cutting the range at lines and walking its parts side by side. */
    private void search(int from, int end) {
        int quarter = (end - from) / 4;
        int a = cut(from + quarter, end);
        int b = cut(from + 2 * quarter, end);
        int c = cut(from + 3 * quarter, end);
        if (end - from < WORTH_SPLITTING || a >= b || b >= c || c >= end) {
            walk(reporting, from, end);
            return;
        }
        int[] counts = new int[4];
        int[][] found = {new int[256], new int[256], new int[256], new int[256]};
        sideBySide(new int[] {from, a, b, c, end}, found, counts);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < counts[k]; i++) {
                note(found[k][i]);
            }
        }
    }

    /** The place after the first newline at or after the given one. */
    private int cut(int at, int end) {
        int i = at;
        while (i < end && buffer[i] != '\n') {
            i++;
        }
        return Math.min(end, i + 1);
    }

    private void sideBySide(int[] starts, int[][] found, int[] counts) {
        byte[] b = buffer;
        byte[] c = classes;
        int[] t = next;
        int quiet = reporting;
        int s0 = quiet;
        int s1 = quiet;
        int s2 = quiet;
        int s3 = quiet;
        int i0 = starts[0];
        int i1 = starts[1];
        int i2 = starts[2];
        int i3 = starts[3];
        int steps =
                Math.min(
                        Math.min(starts[1] - i0, starts[2] - i1),
                        Math.min(starts[3] - i2, starts[4] - i3));
        for (int n = 0; n < steps; n++) {
            s0 = t[s0 + c[b[i0++] & 255]];
            s1 = t[s1 + c[b[i1++] & 255]];
            s2 = t[s2 + c[b[i2++] & 255]];
            s3 = t[s3 + c[b[i3++] & 255]];
            // Negative when one of the states lies beyond the newline state.
            if (((quiet - s0) | (quiet - s1) | (quiet - s2) | (quiet - s3)) < 0) {
                note(found, counts, 0, s0, i0);
                note(found, counts, 1, s1, i1);
                note(found, counts, 2, s2, i2);
                note(found, counts, 3, s3, i3);
            }
        }
        int[] states = {s0, s1, s2, s3};
        int[] at = {i0, i1, i2, i3};
        for (int k = 0; k < 4; k++) {
            rest(states[k], at[k], starts[k + 1], found, counts, k);
        }
    }

    private void note(int[][] found, int[] counts, int k, int state, int at) {
        if (state > reporting) {
            if (counts[k] == found[k].length) {
                found[k] = Arrays.copyOf(found[k], 2 * counts[k]);
            }
            found[k][counts[k]++] = at;
        }
    }

    private void rest(int state, int from, int end, int[][] found, int[] counts, int k) {
        int s = state;
        for (int i = from; i < end; ) {
            s = next[s + classes[buffer[i++] & 255]];
            if (s > reporting) {
                note(found, counts, k, s, i);
            }
        }
    }

    private void walk(int state, int from, int end) {
        int s = state;
        for (int i = from; i < end; ) {
            s = next[s + classes[buffer[i++] & 255]];
            if (s > reporting) {
                note(i);
            }
        }
    }

    private void note(int at) {
        if (hitCount == hits.length) {
            hits = Arrays.copyOf(hits, 2 * hitCount);
        }
        hits[hitCount++] = at;
    }

    /** Counts the newlines up to a place, eight bytes at a time. */
    private void count(int to) {
        int i = counted;
        long n = 0;
        for (; i + 8 <= to; i += 8) {
            long x = (long) LONGS.get(buffer, i) ^ NEWLINES;
            n += Long.bitCount(~(((x & LOW) + LOW) | x | LOW));
        }
        for (; i < to; i++) {
            n += buffer[i] == '\n' ? 1 : 0;
        }
        newlines += n;
        counted = Math.max(counted, to);
    }
}
