package io.gpuflow.scan;

import io.gpuflow.facts.Observed;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/**
 * Reads logs of any size and number: finds the files, unpacks, scans them on all processors, and
 * tells what the recognised lines say together. What is no text is left to other readers.
 */
public final class Logs {
    /** A larger plain file is cut at lines and scanned by several threads. */
    private static final long PART = 48L << 20;

    private static final int MOST_THREADS = 8;
    private static final int MOST_NESTED = 3;
    private static final int MOST_COPIED = 4 << 20;
    private static final int MOST_TAKEN = 128 << 20;
    private static final int LARGE = 16 << 20;

    private final Signatures signatures;
    private final List<Unread> unread = new ArrayList<>();
    private final List<FileLog> logs = new ArrayList<>();
    private final Set<String> named = new TreeSet<>();
    private final WholeFiles others;
    private Predicate<String> wanted = name -> true;

    public Logs(Signatures signatures) {
        this(signatures, WholeFiles.NONE);
    }

    /**
     * @param others takes what is no log
     */
    public Logs(Signatures signatures, WholeFiles others) {
        this.signatures = signatures;
        this.others = others;
    }

    /** From here on reads only files, also those in archives, whose names are wanted. */
    public Logs only(Predicate<String> names) {
        wanted = names;
        return this;
    }

    /** Reads everything below the paths; {@code -} is standard input. */
    public void read(List<Path> paths) {
        paths.stream().filter(Files::isRegularFile).forEach(p -> named.add(p.toString()));
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
        inputs.forEach(this::grown);
    }

    /**
     * A job that still runs goes on writing; what came after the first look is told, not chased.
     */
    private void grown(Input input) {
        try {
            if (input.path() != null
                    && input.size() > 0
                    && Files.size(input.path()) > input.size()) {
                String why =
                        "grew while it was read; read were its first " + input.size() + " bytes";
                skip(input.name(), why, false);
            }
        } catch (IOException e) {
            // It was removed meanwhile; what it held has been read.
            return;
        }
    }

    private List<Future<List<FileLog>>> submit(Input input, ExecutorService pool, int threads) {
        List<Future<List<FileLog>>> parts = new ArrayList<>();
        int cuts = (int) Math.min(threads, input.size() / PART);
        if (input.path() == null || cuts < 2 || !wanted.test(input.name()) || !plainText(input)) {
            parts.add(pool.submit(() -> whole(input)));
            return parts;
        }
        for (int i = 0; i < cuts; i++) {
            long from = input.size() * i / cuts;
            long to = input.size() * (i + 1) / cuts;
            Callable<List<FileLog>> part = () -> List.of(part(input, from, to));
            parts.add(pool.submit(part));
        }
        return parts;
    }

    private boolean plainText(Input input) {
        try (InputStream in = input.opener().open()) {
            byte[] head = in.readNBytes(Content.HEAD);
            return Packed.format(head) == null && !others.wants(head) && !Content.isBinary(head);
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
            skip(input.name(), Inputs.reason(e), true);
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
            // What the kernel makes up when it is read has no size.
            long size = input.size() == 0 ? -1 : input.size();
            new Unfolding(input.year(), out).stream(input.name(), in, size, 0);
        } catch (IOException | RuntimeException e) {
            skip(input.name(), Inputs.reason(e), true);
        } catch (OutOfMemoryError e) {
            skip(input.name(), "needs more memory than there is", true);
        }
        return out;
    }

    /** One named file, with whatever is packed in it. */
    private final class Unfolding {
        private final int year;
        private final List<FileLog> out;
        private final Packed.Budget budget = new Packed.Budget();

        Unfolding(int year, List<FileLog> out) {
            this.year = year;
            this.out = out;
        }

        void stream(String name, InputStream in, long size, int depth) throws IOException {
            byte[] head = Content.head(in);
            String format = Packed.format(head);
            boolean leaf = format == null;
            if (depth > 0 && isList(head) || leaf && !wanted.test(name)) {
                return;
            }
            if (format != null && depth >= MOST_NESTED) {
                skip(name, "packed more than " + MOST_NESTED + " times", true);
            } else if ("zip".equals(format) || "tar".equals(format)) {
                archive(format, name, in, depth);
            } else if (format != null) {
                stream(name, Packed.open(format, in, budget), -1, depth + 1);
            } else if (head.length == 0) {
                skip(name, "is empty", false);
            } else if (others.wants(head)) {
                take(name, in);
            } else if (Content.isBinary(head)) {
                skip(name, "is not text", false);
            } else {
                String document = document(head, in, size);
                if (document != null) {
                    skip(name, document, false);
                } else {
                    text(name, in, size);
                }
            }
        }

        private void archive(String format, String name, InputStream in, int depth)
                throws IOException {
            List<Unread> left = new ArrayList<>();
            try {
                Archive.read(
                        format,
                        name,
                        in,
                        budget,
                        (entry, content) -> entry(entry, content, depth + 1),
                        left);
            } finally {
                left.forEach(u -> skip(u.file(), u.why(), u.evidence()));
            }
        }

        /** One that is broken is told; the others are read. */
        private void entry(String name, InputStream content, int depth) {
            try {
                stream(name, new BufferedInputStream(content, 1 << 14), -1, depth);
            } catch (IOException | RuntimeException e) {
                skip(name, Inputs.reason(e), true);
            }
        }

        private void text(String name, InputStream in, long size) throws IOException {
            FileLog log = new FileLog(name);
            out.add(log);
            Copying copying = new Copying(in, MOST_COPIED);
            scan(copying, size < 0 ? Long.MAX_VALUE : size, log, year);
            byte[] copy = copying.copy();
            if (copy != null) {
                others.text(name, copy);
            }
        }
    }

    /** The list of what a bundle holds is about logs, and none. */
    private static boolean isList(byte[] head) {
        return new String(head, 0, Math.min(head.length, 32), StandardCharsets.ISO_8859_1)
                .startsWith("{\"gpuflow-bundle\":");
    }

    private void take(String name, InputStream in) throws IOException {
        byte[] content = in.readNBytes(LARGE);
        if (content.length < LARGE) {
            others.take(name, content);
            return;
        }
        // One large one at a time: read, it takes many times its size.
        synchronized (others) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream(2 * LARGE);
            whole.write(content);
            whole.write(in.readNBytes(MOST_TAKEN - LARGE));
            if (in.read() >= 0) {
                skip(name, "a dump larger than " + (MOST_TAKEN >> 20) + " MiB", true);
            } else {
                others.take(name, whole.toByteArray());
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
            skip(
                    log.file,
                    "has lines longer than 1 MiB: their patterns were tried on pieces",
                    false);
        }
    }

    /** What a text is instead of a log, or null; a large one is looked at only where it begins. */
    private static String document(byte[] head, InputStream in, long size) throws IOException {
        boolean more = head.length == Content.HEAD;
        String first = text(head, more);
        if (!more || size > LARGE || !Document.possible(first)) {
            return more ? null : Document.kind(first);
        }
        byte[] sample = Inputs.head(in, Document.MOST);
        return Document.kind(text(sample, sample.length == Document.MOST));
    }

    /** A line that is cut off is left out. */
    private static String text(byte[] bytes, boolean cut) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return cut ? text.substring(0, text.lastIndexOf('\n') + 1) : text;
    }

    private void skip(String name, String why, boolean evidence) {
        synchronized (unread) {
            unread.add(new Unread(name, why, evidence));
        }
    }

    /** What was named or found and not read, or not to its end. */
    public List<Unread> unread() {
        return unread.stream().sorted(java.util.Comparator.comparing(Unread::file)).toList();
    }

    /** What the logs say, taken as those of one job: sightings, states of ranks, the incident. */
    public List<Observed> facts() {
        return new IncidentBuilder(IncidentBuilder.join(logs)).facts();
    }

    /**
     * What the logs of one job say.
     *
     * @param name what tells the job from others here: a folder or file
     */
    public record JobLogs(String name, Set<String> files, List<Observed> facts) {}

    /** What the logs say, each job's by itself. */
    public List<JobLogs> jobs() {
        List<JobLogs> jobs = new ArrayList<>();
        Jobs.names(Jobs.of(IncidentBuilder.join(logs), named))
                .forEach(
                        (name, ofJob) -> {
                            Set<String> files = new TreeSet<>();
                            ofJob.forEach(l -> files.add(l.file));
                            jobs.add(new JobLogs(name, files, new IncidentBuilder(ofJob).facts()));
                        });
        return jobs;
    }

    /** True when at least one log was read. */
    public boolean any() {
        return !logs.isEmpty();
    }
}
