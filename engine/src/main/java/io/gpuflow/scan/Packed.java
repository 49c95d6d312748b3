package io.gpuflow.scan;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Compressed streams: recognised by their first bytes, opened with limits on what they unfold to.
 */
final class Packed {
    /** No file is unfolded to more than this, all that is in it taken together. */
    static final long MOST = 8L << 30;

    /** What one file may still unfold to, however often it is packed. */
    static final class Budget {
        private final long most;
        private long left;

        Budget() {
            this(MOST);
        }

        Budget(long most) {
            this.most = most;
            this.left = most;
        }

        void spend(long bytes) throws IOException {
            left -= Math.max(bytes, 0);
            if (left < 0) {
                throw new IOException("unfolds to more than " + (most >> 30) + " GiB");
            }
        }
    }

    private static final int XZ_MEMORY_KIB = 96 << 10;
    private static final int BUFFER = 1 << 16;

    private Packed() {}

    /** The format by its first bytes: gzip, zstd, xz, tar, zip or null. */
    static String format(byte[] head) {
        if (starts(head, 0x1f, 0x8b)) {
            return "gzip";
        }
        if (starts(head, 0x28, 0xb5, 0x2f, 0xfd)) {
            return "zstd";
        }
        if (starts(head, 0xfd, '7', 'z', 'X', 'Z', 0)) {
            return "xz";
        }
        if (starts(head, 'P', 'K', 3, 4)) {
            return "zip";
        }
        boolean tar =
                head.length > 262
                        && new String(head, 257, 5, java.nio.charset.StandardCharsets.ISO_8859_1)
                                .equals("ustar");
        return tar ? "tar" : null;
    }

    private static boolean starts(byte[] head, int... bytes) {
        if (head.length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if ((head[i] & 255) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    static InputStream open(String format, InputStream in, Budget budget) throws IOException {
        InputStream plain =
                switch (format) {
                    case "gzip" -> new GZIPInputStream(in, BUFFER);
                    case "zstd" -> new ZstdInputStream(in);
                    case "xz" -> new XZInputStream(in, XZ_MEMORY_KIB);
                    default -> throw new IOException("not a compressed format: " + format);
                };
        return new BufferedInputStream(new Limited(plain, budget), BUFFER);
    }

    /** Ends a stream with an error when it unfolds to too much. */
    private static final class Limited extends FilterInputStream {
        private final Budget budget;

        Limited(InputStream in, Budget budget) {
            super(in);
            this.budget = budget;
        }

        /**
         * Nothing: or a buffer over this would read on into the broken part and lose what came
         * before.
         */
        @Override
        public int available() {
            return 0;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            int n;
            try {
                n = super.read(b, off, len);
            } catch (RuntimeException e) {
                throw new IOException("broken compressed data", e);
            }
            budget.spend(n);
            return n;
        }
    }
}
