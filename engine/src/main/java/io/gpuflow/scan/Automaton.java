package io.gpuflow.scan;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A dense Aho-Corasick automaton over bytes: one table look-up a byte, whatever the number of
 * texts. States that report something are numbered last, so that the inner loop needs one
 * comparison; the state after a newline is the first of these, which gives line numbers for
 * nothing.
 */
final class Automaton {
    /** Class of each byte value; bytes that no text holds share class 0. */
    final byte[] classes;

    /** Next state times {@link #width}, by state times width plus class. */
    final int[] next;

    final int width;

    /** States from here on report: the newline state first, then those where a text ends. */
    final int reporting;

    /** Texts that end in a state, by state number minus reporting; empty for the newline state. */
    final int[][] ends;

    private Automaton(byte[] classes, int[] next, int width, int reporting, int[][] ends) {
        this.classes = classes;
        this.next = next;
        this.width = width;
        this.reporting = reporting;
        this.ends = ends;
    }

    /** Where every scan starts: the state after a newline. */
    int start() {
        return reporting;
    }

    /**
     * @param texts what to look for; none empty, none with a newline
     */
    static Automaton of(List<byte[]> texts) {
        byte[] classes = new byte[256];
        int width = 2; // class 0: any other byte, class 1: newline
        classes['\n'] = 1;
        for (byte[] text : texts) {
            for (byte b : text) {
                if (classes[b & 255] == 0) {
                    if (width == 128) {
                        throw new IllegalArgumentException("more than 126 different bytes");
                    }
                    classes[b & 255] = (byte) width++;
                }
            }
        }
        return new Builder(classes, width).build(texts);
    }

    /** Builds the trie, closes it with failure links and renumbers the states. */
    private static final class Builder {
        private final byte[] classes;
        private final int width;
        private final List<int[]> rows = new ArrayList<>();
        private final List<List<Integer>> ends = new ArrayList<>();

        Builder(byte[] classes, int width) {
            this.classes = classes;
            this.width = width;
            newState();
        }

        private int newState() {
            int[] row = new int[width];
            Arrays.fill(row, -1);
            rows.add(row);
            ends.add(new ArrayList<>());
            return rows.size() - 1;
        }

        Automaton build(List<byte[]> texts) {
            for (int t = 0; t < texts.size(); t++) {
                int s = 0;
                for (byte b : texts.get(t)) {
                    int c = classes[b & 255];
                    if (rows.get(s)[c] < 0) {
                        rows.get(s)[c] = newState();
                    }
                    s = rows.get(s)[c];
                }
                ends.get(s).add(t);
            }
            close();
            return number();
        }

        private void close() {
            int[] fail = new int[rows.size()];
            ArrayDeque<Integer> queue = new ArrayDeque<>();
            for (int c = 0; c < width; c++) {
                int to = rows.get(0)[c];
                if (to < 0) {
                    rows.get(0)[c] = 0;
                } else {
                    queue.add(to);
                }
            }
            while (!queue.isEmpty()) {
                int s = queue.remove();
                ends.get(s).addAll(ends.get(fail[s]));
                for (int c = 0; c < width; c++) {
                    int to = rows.get(s)[c];
                    int onFail = rows.get(fail[s])[c];
                    if (to < 0) {
                        rows.get(s)[c] = onFail;
                    } else {
                        fail[to] = onFail;
                        queue.add(to);
                    }
                }
            }
        }

        private Automaton number() {
            int states = rows.size();
            int quiet = 0;
            for (List<Integer> e : ends) {
                quiet += e.isEmpty() ? 1 : 0;
            }
            int[] number = new int[states];
            int low = 0;
            int high = quiet + 1;
            for (int s = 0; s < states; s++) {
                number[s] = ends.get(s).isEmpty() ? low++ : high++;
            }
            int[] next = new int[(states + 1) * width];
            int[][] reports = new int[states + 1 - quiet][];
            reports[0] = new int[0];
            for (int s = 0; s < states; s++) {
                for (int c = 0; c < width; c++) {
                    int to = c == 1 ? quiet : number[rows.get(s)[c]];
                    next[number[s] * width + c] = to * width;
                }
                if (number[s] > quiet) {
                    reports[number[s] - quiet] =
                            ends.get(s).stream().distinct().mapToInt(i -> i).toArray();
                }
            }
            System.arraycopy(next, number[0] * width, next, quiet * width, width);
            return new Automaton(classes, next, width, quiet * width, reports);
        }
    }

    /** Bytes that {@link #write} needs. */
    int size() {
        int n = 256 + 4 * 4 + 4 * next.length;
        for (int[] e : ends) {
            n += 4 + 4 * e.length;
        }
        return n;
    }

    void write(ByteBuffer out) {
        out.put(classes).putInt(width).putInt(reporting).putInt(next.length).putInt(ends.length);
        out.asIntBuffer().put(next);
        out.position(out.position() + 4 * next.length);
        for (int[] e : ends) {
            out.putInt(e.length);
            for (int i : e) {
                out.putInt(i);
            }
        }
    }

    static Automaton read(ByteBuffer in) {
        byte[] classes = new byte[256];
        in.get(classes);
        int width = in.getInt();
        int reporting = in.getInt();
        int[] next = new int[in.getInt()];
        int[][] ends = new int[in.getInt()][];
        in.asIntBuffer().get(next);
        in.position(in.position() + 4 * next.length);
        for (int i = 0; i < ends.length; i++) {
            ends[i] = new int[in.getInt()];
            for (int k = 0; k < ends[i].length; k++) {
                ends[i][k] = in.getInt();
            }
        }
        return new Automaton(classes, next, width, reporting, ends);
    }
}
