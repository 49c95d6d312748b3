package io.gpuflow.scan;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** What a file holds, told by its first bytes. */
public enum Content {
    EMPTY,
    TEXT,

    /** One compressed stream. */
    PACKED,

    /** Several files in one. */
    ARCHIVE,
    BINARY;

    /** Bytes that are enough to tell. */
    public static final int HEAD = 4_096;

    private static final int LEAST_TEXT = 16;

    /** Tells it by the first bytes, {@link #HEAD} of them where there are so many. */
    public static Content of(byte[] head) {
        String format = Packed.format(head);
        if (format != null) {
            return format.equals("tar") || format.equals("zip") ? ARCHIVE : PACKED;
        }
        return head.length == 0 ? EMPTY : isBinary(head) ? BINARY : TEXT;
    }

    /**
     * The stream unfolded when it is {@link #PACKED}, else as it is; it can be marked.
     *
     * @throws IOException also while reading, when it unfolds to too much
     */
    public static InputStream unfolded(InputStream in) throws IOException {
        return unfolded(in, new Packed.Budget());
    }

    static InputStream unfolded(InputStream in, Packed.Budget budget) throws IOException {
        InputStream marked = in.markSupported() ? in : new BufferedInputStream(in, 1 << 16);
        byte[] head = Inputs.head(marked, HEAD);
        return of(head) == PACKED ? Packed.open(Packed.format(head), marked, budget) : marked;
    }

    /** The first bytes of a stream that can be marked; it stays where it is. */
    public static byte[] head(InputStream in) throws IOException {
        return Inputs.head(in, HEAD);
    }

    /**
     * A log may hold some bytes that are no text; a program or picture is full of them. What a
     * crash left of a log may end in zeros.
     */
    static boolean isBinary(byte[] file) {
        int end = file.length;
        while (end > 0 && file[end - 1] == 0) {
            end--;
        }
        byte[] head = end >= LEAST_TEXT ? Arrays.copyOf(file, end) : file;
        int control = 0;
        int nul = 0;
        for (byte b : head) {
            int c = b & 255;
            nul += c == 0 ? 1 : 0;
            control += c > 0 && c < 9 || c > 13 && c < 32 && c != 27 ? 1 : 0;
        }
        return control * 30 > head.length || nul * 2 > head.length;
    }
}
