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
    private static final int MOST_EXTENDED = 1 << 16;
    private static final String CUT_OFF = "is cut off";

    /** Receives one entry; its stream ends with the entry. */
    interface Entry {
        void take(String name, InputStream content) throws IOException;
    }

    private Archive() {}

    static void read(
            String format,
            String archive,
            InputStream in,
            Packed.Budget budget,
            Entry entry,
            List<Unread> unread)
            throws IOException {
        if (format.equals("zip")) {
            zip(archive, in, budget, entry, unread);
        } else {
            tar(archive, in, entry, unread);
        }
    }

    private static void zip(
            String archive, InputStream in, Packed.Budget budget, Entry entry, List<Unread> unread)
            throws IOException {
        ZipInputStream zip = new ZipInputStream(in);
        int n = 0;
        for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
            if (n++ >= MOST_ENTRIES) {
                unread.add(new Unread(archive, "more than " + MOST_ENTRIES + " entries", true));
                return;
            }
            if (!e.isDirectory()) {
                entry.take(archive + "!" + e.getName(), new Kept(zip, Long.MAX_VALUE, budget));
            }
        }
    }

    private static void tar(String archive, InputStream in, Entry entry, List<Unread> unread)
            throws IOException {
        byte[] header = new byte[BLOCK];
        String longName = null;
        for (int n = 0; n < MOST_ENTRIES; n++) {
            int have = in.readNBytes(header, 0, BLOCK);
            if (have == 0 || header[0] == 0) {
                return;
            }
            if (have < BLOCK) {
                throw new IOException(CUT_OFF);
            }
            long size = octal(header, 124, 12);
            char type = (char) header[156];
            String name = longName != null ? longName : name(header);
            Kept content = new Kept(in, size, null);
            if (type == 'L') {
                longName = text(content.readNBytes((int) Math.min(size, 4_096)), 0, 4_096);
            } else if (type == 'x') {
                String path = path(content.readNBytes((int) Math.min(size, MOST_EXTENDED)));
                longName = path != null ? path : longName;
            } else if (type != 'g' && type != 'K') {
                longName = null;
                entry(archive + "!" + name, type, content, entry, unread);
            }
            content.skipRest();
            in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        }
        unread.add(new Unread(archive, "more than " + MOST_ENTRIES + " entries", true));
    }

    private static void entry(
            String name, char type, InputStream content, Entry entry, List<Unread> unread)
            throws IOException {
        switch (type) {
            case '0', 0, '7' -> entry.take(name, new BufferedInputStream(content));
            case '1', '2' -> unread.add(new Unread(name, "a link"));
            case '5' -> {}
            default -> unread.add(new Unread(name, "not a plain file"));
        }
    }

    /** The name in a tar archive's first header. */
    static String firstName(byte[] head) {
        return name(head);
    }

    /** The name of a header of its own time, with the folder that ustar keeps apart. */
    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        // GNU keeps times where ustar keeps the folder; its magic ends with a blank.
        String folder = header[262] == 0 ? text(header, 345, 155) : "";
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    /** The path in an extended header of POSIX, {@code 30 path=…} a line, or null. */
    private static String path(byte[] extended) {
        int at = 0;
        while (at < extended.length) {
            int blank = at;
            int length = 0;
            while (blank < extended.length && extended[blank] >= '0' && extended[blank] <= '9') {
                length = Math.min(10 * length + extended[blank++] - '0', MOST_EXTENDED);
            }
            int end = Math.min(at + length, extended.length);
            if (length == 0 || blank + 1 >= end) {
                return null;
            }
            String record =
                    new String(extended, blank + 1, end - blank - 1, StandardCharsets.UTF_8);
            if (record.startsWith("path=")) {
                return record.substring(5).strip();
            }
            at += length;
        }
        return null;
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
        private final Packed.Budget budget;
        private long left;

        /**
         * @param budget what is taken from it is spent, or null
         */
        Kept(InputStream in, long size, Packed.Budget budget) {
            super(in);
            this.left = size;
            this.budget = budget;
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
            if (budget != null) {
                budget.spend(n);
            }
            return n;
        }

        /** By reading: what is jumped over counts, too. */
        @Override
        public long skip(long count) throws IOException {
            byte[] waste = new byte[(int) Math.min(count, 1 << 14)];
            return Math.max(0, read(waste, 0, waste.length));
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        @Override
        public void close() {}

        void skipRest() throws IOException {
            byte[] waste = new byte[1 << 14];
            while (left > 0) {
                if (read(waste, 0, waste.length) < 0) {
                    throw new IOException(CUT_OFF);
                }
            }
        }
    }
}
