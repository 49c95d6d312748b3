package io.gpuflow.scan;

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

    /**
     * Builds the trie, then its failure links, then the table. The trie keeps its edges in lists,
     * and a row of the table is a copy of the row it fails to with a few entries of its own: so
     * this takes milliseconds, and the table needs no room in the archive.
     */
    private static final class Builder {
        private final byte[] classes;
        private final int width;
        private int states = 1;
        private final int[] ofRoot = new int[128];
        private int[] firstChild;
        private int[] sibling;
        private byte[] symbol;
        private int[] fail;

        /** States, parents before children. */
        private int[] order;

        /** Texts that end in a state: its own and those of the states it fails to. */
        private int[][] ends;

        Builder(byte[] classes, int width) {
            this.classes = classes;
            this.width = width;
        }

        Automaton build(List<byte[]> texts) {
            int most = 1 + texts.stream().mapToInt(t -> t.length).sum();
            firstChild = new int[most];
            sibling = new int[most];
            symbol = new byte[most];
            fail = new int[most];
            ends = new int[most][];
            for (int t = 0; t < texts.size(); t++) {
                add(t, texts.get(t));
            }
            link();
            return table();
        }

        private void add(int number, byte[] text) {
            int s = 0;
            for (byte b : text) {
                byte c = classes[b & 255];
                int child = child(s, c);
                if (child == 0) {
                    child = states++;
                    symbol[child] = c;
                    sibling[child] = firstChild[s];
                    firstChild[s] = child;
                    if (s == 0) {
                        ofRoot[c] = child;
                    }
                }
                s = child;
            }
            ends[s] = join(ends[s], new int[] {number});
        }

        /** The child by this class, or 0: no state leads to the root. */
        private int child(int s, byte c) {
            if (s == 0) {
                return ofRoot[c];
            }
            int child = firstChild[s];
            while (child != 0 && symbol[child] != c) {
                child = sibling[child];
            }
            return child;
        }

        private void link() {
            order = new int[states];
            int filled = 1;
            for (int i = 0; i < filled; i++) {
                int s = order[i];
                for (int child = firstChild[s]; child != 0; child = sibling[child]) {
                    order[filled++] = child;
                    int f = s;
                    int to = 0;
                    while (f != 0 && to == 0) {
                        f = fail[f];
                        to = child(f, symbol[child]);
                    }
                    fail[child] = to;
                    ends[child] = join(ends[child], ends[to]);
                }
            }
        }

        private static int[] join(int[] a, int[] b) {
            if (a == null || b == null) {
                return a == null ? b : a;
            }
            int[] both = Arrays.copyOf(a, a.length + b.length);
            System.arraycopy(b, 0, both, a.length, b.length);
            return both;
        }

        private Automaton table() {
            int quiet = 0;
            for (int s = 0; s < states; s++) {
                quiet += ends[s] == null ? 1 : 0;
            }
            int[] number = new int[states];
            int[][] reports = new int[states + 1 - quiet][];
            reports[0] = new int[0];
            int low = 0;
            int high = quiet + 1;
            for (int s = 0; s < states; s++) {
                number[s] = ends[s] == null ? low++ : high++;
                if (ends[s] != null) {
                    reports[number[s] - quiet] = ends[s];
                }
            }
            int[] next = new int[(states + 1) * width];
            for (int s : order) {
                int row = number[s] * width;
                System.arraycopy(next, number[fail[s]] * width, next, row, width);
                for (int child = firstChild[s]; child != 0; child = sibling[child]) {
                    next[row + symbol[child]] = number[child] * width;
                }
                next[row + 1] = quiet * width;
            }
            System.arraycopy(next, 0, next, quiet * width, width);
            return new Automaton(classes, next, width, quiet * width, reports);
        }
    }
}
