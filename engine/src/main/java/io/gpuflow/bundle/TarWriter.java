package io.gpuflow.bundle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes plain files into a tar archive as POSIX has it (ustar; names that are too long for it in
 * an extended header). All files belong to nobody and have the same time: who packed it stays
 * private.
 */
final class TarWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final long LARGEST = 077777777777L;

    private final OutputStream out;
    private final long seconds;

    TarWriter(OutputStream out, Instant time) {
        this.out = out;
        this.seconds = time.getEpochSecond();
    }

    /** Writes a file of exactly this size. */
    void file(String name, long size, InputStream content) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME) {
            byte[] extended = extended(name);
            header("long-name".getBytes(StandardCharsets.US_ASCII), 'x', extended.length);
            out.write(extended);
            pad(extended.length);
        }
        header(Arrays.copyOf(bytes, Math.min(bytes.length, NAME)), '0', size);
        copy(content, size);
        pad(size);
    }

    /** {@code 25 path=…} and a line end; the length counts its own digits, too. */
    private static byte[] extended(String name) {
        byte[] rest = (" path=" + name + "\n").getBytes(StandardCharsets.UTF_8);
        int length = rest.length;
        while (Integer.toString(length).length() + rest.length != length) {
            length = Integer.toString(length).length() + rest.length;
        }
        byte[] digits = Integer.toString(length).getBytes(StandardCharsets.US_ASCII);
        byte[] record = Arrays.copyOf(digits, length);
        System.arraycopy(rest, 0, record, digits.length, rest.length);
        return record;
    }

    private void header(byte[] name, char type, long size) throws IOException {
        if (size > LARGEST) {
            throw new IOException("a file of more than 8 GiB does not fit a tar archive");
        }
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, name.length);
        text(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
        text(header, 124, String.format("%011o\0%011o\0", size, seconds));
        text(header, 148, "        ");
        header[156] = (byte) type;
        text(header, 257, "ustar\00000");
        int sum = 0;
        for (byte b : header) {
            sum += b & 255;
        }
        text(header, 148, String.format("%06o\0 ", sum));
        out.write(header);
    }

    private static void text(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private void copy(InputStream content, long size) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = size;
        while (left > 0) {
            int n = content.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new IOException("a file ended while it was packed");
            }
            out.write(buffer, 0, n);
            left -= n;
        }
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
