package io.gpuflow.scan;

import io.gpuflow.facts.Observed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads logs of any size and number: finds the files, unpacks, scans them on all processors, and
 * tells what the recognised lines say together. What is no text is left to other readers.
 */
public final class Logs {
    /** A larger plain file is cut at lines and scanned by several threads. */
    private static final long PART = 48L << 20;

    private static final int HEAD = 4_096;
    private static final int MOST_THREADS = 8;
    private static final int MOST_NESTED = 3;

    private final Signatures signatures;
    private final List<Unread> unread = new ArrayList<>();
    private final List<FileLog> logs = new ArrayList<>();
    private final List<Path> dumps = new ArrayList<>();
    private final List<Path> texts = new ArrayList<>();

    public Logs(Signatures signatures) {
        this.signatures = signatures;
    }

    /** Reads everything below the paths; {@code -} is standard input. */
    public void read(List<Path> paths) {
        List<Input> inputs = Inputs.below(paths, unread);
        int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        task -> {
                            Thread thread = new Thread(task, "scan");
                            thread.setDaemon(true);
                            return thread;
                        });
        try {
            List<Future<List<FileLog>>> parts = new ArrayList<>();
            for (Input input : inputs) {
                parts.addAll(submit(input, pool, threads));
            }
            for (Future<List<FileLog>> part : parts) {
                logs.addAll(part.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private List<Future<List<FileLog>>> submit(Input input, ExecutorService pool, int threads) {
        List<Future<List<FileLog>>> parts = new ArrayList<>();
        int cuts = (int) Math.min(threads, input.size() / PART);
        if (input.path() == null || cuts < 2 || !plainText(input)) {
            parts.add(pool.submit(() -> whole(input)));
            return parts;
        }
        for (int i = 0; i < cuts; i++) {
            long from = input.size() * i / cuts;
            long to = input.size() * (i + 1) / cuts;
            Callable<List<FileLog>> part = () -> List.of(part(input, from, to));
            parts.add(pool.submit(part));
        }
        synchronized (texts) {
            texts.add(input.path());
        }
        return parts;
    }

    private static boolean plainText(Input input) {
        try (InputStream in = input.opener().open()) {
            byte[] head = in.readNBytes(HEAD);
            return Packed.format(head) == null && !binary(head);
        } catch (IOException e) {
            return false;
        }
    }

    private FileLog part(Input input, long from, long to) {
        FileLog log = new FileLog(input.name());
        try (FileChannel channel = FileChannel.open(input.path(), StandardOpenOption.READ)) {
            long start = from == 0 ? 0 : afterNewline(channel, from);
            long end = afterNewline(channel, to);
            channel.position(start);
            scan(Channels.newInputStream(channel), Math.max(0, end - start), log, input.year());
        } catch (IOException e) {
            skip(input.name(), Inputs.reason(e));
        }
        return log;
    }

    /** The place after the first newline at or after the given one. */
    private static long afterNewline(FileChannel channel, long at) throws IOException {
        java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocate(1 << 16);
        long place = at - 1;
        while (true) {
            buffer.clear();
            int n = channel.read(buffer, place);
            if (n <= 0) {
                return channel.size();
            }
            for (int i = 0; i < n; i++) {
                if (buffer.get(i) == '\n') {
                    return place + i + 1;
                }
            }
            place += n;
        }
    }

    private List<FileLog> whole(Input input) {
        List<FileLog> out = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(input.opener().open(), 1 << 16)) {
            stream(input.name(), input.path(), in, input.size(), input.year(), 0, out);
        } catch (IOException | RuntimeException e) {
            skip(input.name(), Inputs.reason(e));
        }
        return out;
    }

    private void stream(
            String name,
            Path path,
            InputStream in,
            long size,
            int year,
            int depth,
            List<FileLog> out)
            throws IOException {
        byte[] head = Inputs.head(in, HEAD);
        String format = Packed.format(head);
        if (format != null && depth >= MOST_NESTED) {
            skip(name, "packed more than " + MOST_NESTED + " times");
        } else if ("zip".equals(format) || "tar".equals(format)) {
            List<Unread> left = new ArrayList<>();
            Archive.read(
                    format,
                    name,
                    in,
                    (entry, content) ->
                            stream(
                                    entry,
                                    null,
                                    new BufferedInputStream(content),
                                    -1,
                                    year,
                                    depth + 1,
                                    out),
                    left);
            left.forEach(u -> skip(u.file(), u.why()));
        } else if (format != null) {
            stream(name, null, Packed.open(format, in), -1, year, depth + 1, out);
        } else if (head.length == 0) {
            skip(name, "is empty");
        } else if (dump(head)) {
            dump(name, path);
        } else if (binary(head)) {
            skip(name, "is not text");
        } else {
            FileLog log = new FileLog(name);
            out.add(log);
            scan(in, size < 0 ? Long.MAX_VALUE : size, log, year);
            if (path != null) {
                synchronized (texts) {
                    texts.add(path);
                }
            }
        }
    }

    private void scan(InputStream in, long limit, FileLog log, int year) throws IOException {
        Collector collector = new Collector(signatures, log, year);
        LineScanner scanner = new LineScanner(signatures.automaton(), collector);
        try {
            log.bytes = scanner.scan(in, limit);
        } finally {
            collector.settle();
            log.newlines = scanner.newlines();
        }
        if (scanner.longLines()) {
            skip(log.file, "has lines longer than 1 MiB: their patterns were tried on pieces");
        }
    }

    private void dump(String name, Path path) {
        if (path == null) {
            skip(name, "a Flight Recorder dump in an archive: unpack it");
            return;
        }
        synchronized (dumps) {
            dumps.add(path);
        }
    }

    /** A pickled dictionary, as PyTorch's Flight Recorder writes it. */
    private static boolean dump(byte[] head) {
        return head.length > 2 && (head[0] & 255) == 0x80 && head[1] >= 2 && head[1] <= 5;
    }

    /** A log may hold some bytes that are no text; a program or picture is full of them. */
    private static boolean binary(byte[] head) {
        int control = 0;
        int nul = 0;
        for (byte b : head) {
            int c = b & 255;
            nul += c == 0 ? 1 : 0;
            control += c > 0 && c < 9 || c > 13 && c < 32 && c != 27 ? 1 : 0;
        }
        return control * 30 > head.length || nul * 2 > head.length;
    }

    private void skip(String name, String why) {
        synchronized (unread) {
            unread.add(new Unread(name, why));
        }
    }

    /** Files that look like Flight Recorder dumps; nothing here reads them. */
    public List<Path> dumps() {
        return dumps.stream().sorted().toList();
    }

    /** Plain text files that were scanned; other parsers may know more about them. */
    public List<Path> texts() {
        return texts.stream().sorted().toList();
    }

    /** What was named or found and not read, or not to its end. */
    public List<Unread> unread() {
        return unread.stream().sorted(java.util.Comparator.comparing(Unread::file)).toList();
    }

    /** What the logs say: sightings, the state of ranks, the incident. */
    public List<Observed> facts() {
        return new IncidentBuilder(logs).facts();
    }

    /** True when at least one log was read. */
    public boolean any() {
        return !logs.isEmpty();
    }
}
