package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes one output stream of a command to its end, however long it is: to a file up to a limit, its
 * beginning and its end to memory, and line by line to a listener. Bytes are kept as they are, but
 * for declared secrets.
 */
final class Capture implements Runnable {
    private final InputStream in;
    private final Path file;
    private final long fileLimit;
    private final SecretMask mask;
    private final LineSplitter lines;
    private final Ends memory;

    private OutputStream out;
    private long written;
    private String diskTrouble;
    private boolean unread;
    private boolean finished;
    private Thread thread;

    Capture(
            InputStream in,
            Path file,
            LiveTools.Limits limits,
            SecretMask mask,
            Consumer<String> lines) {
        this.in = in;
        this.file = file;
        this.fileLimit = limits.disk();
        this.mask = mask;
        this.lines = new LineSplitter(lines);
        this.memory = new Ends(limits.memory());
    }

    void start(String name) {
        thread = new Thread(this, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the end of the stream; what comes after the limit is not taken any more. */
    void finish(Duration limit) throws InterruptedException {
        thread.join(limit.toMillis());
        synchronized (this) {
            unread = unread || !finished;
            finishFile();
        }
    }

    @Override
    public void run() {
        byte[] buffer = new byte[1 << 16];
        try {
            if (file != null) {
                out = Files.newOutputStream(file);
            }
        } catch (IOException e) {
            diskTrouble = Words.of(e);
        }
        copy(buffer);
        byte[] rest = mask.rest();
        take(rest);
        lines.end();
        finishFile();
    }

    private void copy(byte[] buffer) {
        try {
            int count;
            while ((count = in.read(buffer)) >= 0) {
                take(mask.next(buffer, count));
            }
        } catch (IOException e) {
            synchronized (this) {
                unread = true;
            }
        }
    }

    private void take(byte[] bytes) {
        synchronized (this) {
            if (finished) {
                return;
            }
            memory.add(bytes, bytes.length);
            write(bytes, bytes.length);
        }
        lines.add(bytes, bytes.length);
    }

    private void write(byte[] bytes, int count) {
        int fits = (int) Math.min(count, fileLimit - written);
        if (out == null || diskTrouble != null || fits <= 0) {
            return;
        }
        try {
            out.write(bytes, 0, fits);
            written += fits;
        } catch (IOException e) {
            diskTrouble = Words.of(e);
        }
    }

    private synchronized void finishFile() {
        boolean again = finished;
        finished = true;
        if (out == null || again) {
            return;
        }
        try (OutputStream closing = out) {
            if (diskTrouble == null && memory.total() > written) {
                byte[] end = memory.end(memory.total() - written);
                long left = memory.total() - written - end.length;
                closing.write(Ends.gap(left).getBytes(StandardCharsets.UTF_8));
                closing.write(end);
            }
        } catch (IOException e) {
            diskTrouble = Words.of(e);
        }
    }

    /** The text so far; whole, or its two ends. */
    synchronized String text() {
        return memory.text();
    }

    /** True when not even memory holds what the disk could not take. */
    synchronized boolean lost() {
        return diskTrouble != null && memory.cut();
    }

    synchronized String diskTrouble() {
        return diskTrouble;
    }

    /** Where it is on disk, or null. */
    Path file() {
        return file;
    }

    /** What is to be said about this stream, or null. */
    synchronized String note(String name) {
        if (diskTrouble != null) {
            return name + ": only " + written + " bytes are in " + file + ": " + diskTrouble;
        }
        if (out != null && memory.total() > written) {
            return name + ": of " + memory.total() + " bytes the beginning and the end were kept";
        }
        return unread ? name + ": another process still holds it open" : null;
    }
}
