package io.gpuflow.scan;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Runs the automaton over a stream and hands over the lines that hold a signature's text, and those
 * that follow while the receiver asks for more. Memory is one buffer, whatever the lines' length: a
 * line longer than the buffer is handed over in pieces.
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

    private final byte[] classes;
    private final int[] next;
    private final int reporting;
    private final int[][] ends;
    private final int width;
    private final Receiver receiver;
    private final byte[] buffer = new byte[BUFFER];
    private final Line line = new Line();

    private int state;
    private int lineStart;
    private long number = 1;
    private int wanted;
    private boolean longLines;

    LineScanner(Automaton automaton, Receiver receiver) {
        this.classes = automaton.classes;
        this.next = automaton.next;
        this.reporting = automaton.reporting;
        this.ends = automaton.ends;
        this.width = automaton.width;
        this.state = automaton.start();
        this.receiver = receiver;
        line.buffer = buffer;
    }

    /** Newlines passed so far. */
    long newlines() {
        return number - 1;
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
        while (more) {
            while (more && have < BUFFER) {
                int n = in.read(buffer, have, (int) Math.min(BUFFER - have, limit - read));
                more = n > 0;
                have += Math.max(n, 0);
                read += Math.max(n, 0);
                if (n > 0 && lastNewline(have - n, have) >= 0) {
                    break;
                }
            }
            int end = have;
            if (more) {
                int newline = lastNewline(from, have);
                longLines |= newline < 0;
                end = newline < 0 ? have : newline + 1;
            }
            range(from, end);
            if (!more) {
                receiver.end(buffer, 0, have);
            }
            int keep = Math.max(0, end - HISTORY);
            System.arraycopy(buffer, keep, buffer, 0, have - keep);
            from = end - keep;
            have -= keep;
            lineStart = Math.max(0, lineStart - keep);
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

    private void range(int from, int end) {
        int i = from;
        while (i < end) {
            if (wanted > 0) {
                i = whole(i, end, null);
            } else {
                i = search(i, end);
            }
        }
    }

    /** The inner loop: to the next line with a text. */
    private int search(int from, int end) {
        int s = state;
        int i = from;
        byte[] b = buffer;
        byte[] c = classes;
        int[] t = next;
        int quiet = reporting;
        while (i < end) {
            s = t[s + c[b[i++] & 255]];
            if (s >= quiet) {
                if (s == quiet) {
                    number++;
                    lineStart = i;
                } else {
                    state = s;
                    return whole(i, end, ends[(s - quiet) / width]);
                }
            }
        }
        state = s;
        return i;
    }

    /** Scans on to the end of the line, collecting its texts, and hands the line over. */
    private int whole(int from, int end, int[] found) {
        line.textCount = 0;
        if (found != null) {
            line.add(found);
        }
        int s = state;
        int i = from;
        while (i < end) {
            s = next[s + classes[buffer[i++] & 255]];
            if (s > reporting) {
                line.add(ends[(s - reporting) / width]);
            } else if (s == reporting) {
                break;
            }
        }
        state = s;
        boolean complete = s == reporting;
        line.history = 0;
        line.start = lineStart;
        line.end = complete ? i - 1 : i;
        line.number = number;
        int more = receiver.line(line);
        wanted = Math.max(wanted - 1, more);
        if (complete) {
            number++;
        }
        lineStart = i;
        return i;
    }
}
