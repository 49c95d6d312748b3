package io.gpuflow.scan;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Reads tar and zip archives entry by entry, in memory: nothing is written, so nothing can escape
 * to another path; links and devices are not followed.
 */
final class Archive {
    private static final int MOST_ENTRIES = 20_000;
    private static final int BLOCK = 512;

    /** Receives one entry; its stream ends with the entry. */
    interface Entry {
        void take(String name, InputStream content) throws IOException;
    }

    private Archive() {}

    static void read(
            String format, String archive, InputStream in, Entry entry, List<Unread> unread)
            throws IOException {
        if (format.equals("zip")) {
            zip(archive, in, entry, unread);
        } else {
            tar(archive, in, entry, unread);
        }
    }

    private static void zip(String archive, InputStream in, Entry entry, List<Unread> unread)
            throws IOException {
        ZipInputStream zip = new ZipInputStream(in);
        int n = 0;
        for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
            if (n++ >= MOST_ENTRIES) {
                unread.add(new Unread(archive, "more than " + MOST_ENTRIES + " entries"));
                return;
            }
            if (!e.isDirectory()) {
                entry.take(archive + "!" + e.getName(), new Kept(zip, Packed.MOST));
            }
        }
    }

    private static void tar(String archive, InputStream in, Entry entry, List<Unread> unread)
            throws IOException {
        byte[] header = new byte[BLOCK];
        String longName = null;
        for (int n = 0; n < MOST_ENTRIES; n++) {
            if (in.readNBytes(header, 0, BLOCK) < BLOCK || header[0] == 0) {
                return;
            }
            long size = octal(header, 124, 12);
            char type = (char) header[156];
            String name = longName != null ? longName : text(header, 0, 100);
            longName = null;
            Kept content = new Kept(in, size);
            if (type == 'L') {
                longName = text(content.readNBytes((int) Math.min(size, 4_096)), 0, 4_096);
            } else if (type == '0' || type == 0) {
                entry.take(archive + "!" + name, new BufferedInputStream(content));
            } else if (type == '1' || type == '2') {
                unread.add(new Unread(archive + "!" + name, "a link"));
            }
            content.skipRest();
            in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        }
        unread.add(new Unread(archive, "more than " + MOST_ENTRIES + " entries"));
    }

    private static long octal(byte[] b, int at, int length) throws IOException {
        if ((b[at] & 0x80) != 0) {
            long n = 0;
            for (int i = at + 4; i < at + length; i++) {
                n = n << 8 | b[i] & 255;
            }
            if (n < 0) {
                throw new IOException("broken tar header");
            }
            return n;
        }
        String digits = text(b, at, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("broken tar header", e);
        }
    }

    private static String text(byte[] b, int at, int length) {
        int end = at;
        while (end < Math.min(b.length, at + length) && b[end] != 0) {
            end++;
        }
        return new String(b, at, end - at, StandardCharsets.UTF_8);
    }

    /** The bytes of one entry; closing it leaves the archive open. */
    private static final class Kept extends FilterInputStream {
        private long left;

        Kept(InputStream in, long size) {
            super(in);
            this.left = size;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            int n = left <= 0 ? -1 : super.read(b, off, (int) Math.min(len, left));
            left -= Math.max(n, 0);
            return n;
        }

        @Override
        public void close() {}

        void skipRest() throws IOException {
            while (left > 0) {
                long n = in.skip(left);
                if (n <= 0 && in.read() < 0) {
                    return;
                }
                left -= Math.max(n, 1);
            }
        }
    }
}
