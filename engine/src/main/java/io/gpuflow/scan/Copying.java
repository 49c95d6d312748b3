package io.gpuflow.scan;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Keeps a copy of what is read from a stream, as long as it is small. */
final class Copying extends FilterInputStream {
    private final int most;
    private ByteArrayOutputStream copy = new ByteArrayOutputStream();

    Copying(InputStream in, int most) {
        super(in);
        this.most = most;
    }

    /** What was read, or null when it was too much. */
    byte[] copy() {
        return copy == null ? null : copy.toByteArray();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        int n = super.read(b, off, len);
        if (copy != null && n > 0) {
            copy = copy.size() + n > most ? null : copy;
            if (copy != null) {
                copy.write(b, off, n);
            }
        }
        return n;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
