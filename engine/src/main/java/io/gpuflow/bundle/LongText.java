package io.gpuflow.bundle;

import io.gpuflow.scan.NotableLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Reads a text in pieces that end with a line. Of a very large one only the beginning, the end, and
 * between them the lines that a signature looks for: that is where a diagnosis finds its cause.
 */
final class LongText {
    static final int HEAD = 4 << 20;
    static final int TAIL = 16 << 20;
    private static final int MIDDLE = 4 << 20;
    private static final int BLOCK = 1 << 20;

    /** Takes the pieces in their order. */
    interface Taker {
        void take(String piece) throws IOException;
    }

    private final Taker taker;
    private final Supplier<NotableLines> notable;
    private final Deque<byte[]> tail = new ArrayDeque<>();
    private final ByteArrayOutputStream middle = new ByteArrayOutputStream();
    private long handedOver;
    private int inTail;
    private long cutBytes;
    private long cutLines;

    private LongText(Supplier<NotableLines> notable, Taker taker) {
        this.notable = notable;
        this.taker = taker;
    }

    /**
     * Reads all of the stream.
     *
     * @param notable asked for when the text is too large to be kept whole
     * @return what was cut out of it, in words, or null
     */
    static String read(InputStream in, Supplier<NotableLines> notable, Taker taker)
            throws IOException {
        LongText text = new LongText(notable, taker);
        byte[] block = new byte[BLOCK];
        int have = 0;
        while (true) {
            int n = in.readNBytes(block, have, BLOCK - have);
            have += n;
            if (n == 0) {
                break;
            }
            int end = lastLine(block, have);
            text.piece(Arrays.copyOf(block, end));
            System.arraycopy(block, end, block, 0, have - end);
            have -= end;
        }
        if (have > 0) {
            text.piece(Arrays.copyOf(block, have));
        }
        return text.end();
    }

    /** Where the last whole line of a full block ends; a longer line is cut. */
    private static int lastLine(byte[] block, int have) {
        if (have < BLOCK) {
            return have;
        }
        int end = have;
        while (end > 0 && block[end - 1] != '\n') {
            end--;
        }
        return end == 0 ? have : end;
    }

    private void piece(byte[] piece) throws IOException {
        if (handedOver < HEAD) {
            handedOver += piece.length;
            taker.take(new String(piece, StandardCharsets.UTF_8));
            return;
        }
        tail.add(piece);
        inTail += piece.length;
        while (inTail > TAIL) {
            cut(tail.remove());
        }
    }

    private void cut(byte[] piece) throws IOException {
        inTail -= piece.length;
        byte[] kept = notable.get().of(piece);
        if (middle.size() + kept.length <= MIDDLE) {
            middle.write(kept);
        } else {
            kept = new byte[0];
        }
        cutBytes += piece.length - kept.length;
        cutLines += lines(piece) - lines(kept);
    }

    private static long lines(byte[] text) {
        long lines = 0;
        for (byte b : text) {
            lines += b == '\n' ? 1 : 0;
        }
        return lines;
    }

    private String end() throws IOException {
        String said = null;
        if (cutLines > 0 || cutBytes > 0) {
            said =
                    cutLines
                            + " lines ("
                            + Math.max(1, cutBytes >> 20)
                            + " MiB) of its middle are left out; of these, lines that say something"
                            + " known are kept";
            taker.take("[gpuflow bundle: " + said + "]\n");
        }
        if (middle.size() > 0) {
            taker.take(middle.toString(StandardCharsets.UTF_8));
        }
        for (byte[] piece : tail) {
            taker.take(new String(piece, StandardCharsets.UTF_8));
        }
        return said;
    }
}
