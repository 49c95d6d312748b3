package io.gpuflow.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The record of a run: one JSON object a line, only ever appended, on disk before the run goes on.
 * Whatever ends gpuflow, all lines but perhaps the last are whole; a torn line is skipped and
 * reported by {@link #read}.
 */
public final class Journal implements Closeable {
    /** A journal larger than this was not written by us; bytes. */
    static final long MAX_SIZE = 256L << 20;

    private static final Map<String, Class<? extends Entry>> EVENTS =
            Map.of(
                    "run-started", Entry.RunStarted.class,
                    "step-started", Entry.StepStarted.class,
                    "attempt-started", Entry.AttemptStarted.class,
                    "attempt-ended", Entry.AttemptEnded.class,
                    "experiment-ended", Entry.ExperimentEnded.class,
                    "judged", Entry.Judged.class,
                    "step-planned", Entry.StepPlanned.class,
                    "step-ended", Entry.StepEnded.class,
                    "step-interrupted", Entry.StepInterrupted.class,
                    "run-ended", Entry.RunEnded.class);

    /** An entry and when it was written. */
    public record Line(Instant at, Entry entry) {}

    /**
     * What a journal holds.
     *
     * @param problems lines that could not be read, each in one sentence
     */
    public record Contents(List<Line> lines, List<String> problems) {}

    /** The journal can't be written any more: the run has to stop. */
    public static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Lost(Path file, IOException cause) {
            super("can't write " + file + ": " + cause.getMessage(), cause);
        }
    }

    /** Loads what writing takes; called while something else is waited for. */
    public static void warmUp() {
        RecordJson.line(RecordJson.tree(new Entry.StepInterrupted("", 0)));
    }

    private final Path file;
    private final RandomAccessFile out;
    private final InstantSource clock;
    private final Secrets secrets;

    private Journal(Path file, RandomAccessFile out, InstantSource clock, Secrets secrets) {
        this.file = file;
        this.out = out;
        this.clock = clock;
        this.secrets = secrets;
    }

    /**
     * Opens a journal to append to, making the file when there is none. A torn last line stays, on
     * a line of its own.
     *
     * @param secrets masked in all that is written
     */
    public static Journal open(Path file, InstantSource clock, Secrets secrets) throws IOException {
        // Not a FileChannel: interrupting a thread that writes would close it.
        RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw");
        long size = out.length();
        if (size > 0) {
            out.seek(size - 1);
            if (out.read() != '\n') {
                out.write('\n');
            }
        }
        return new Journal(file, out, clock, secrets);
    }

    /**
     * Appends an entry and waits until it is on disk.
     *
     * @return the entry as it was written, secrets masked
     * @throws Lost when that failed; what was written before is safe
     */
    public synchronized Line append(Entry entry) {
        Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        ObjectNode node = RecordJson.tree(Map.of());
        node.put("at", at.toString());
        node.put("event", eventOf(entry));
        JsonNode masked = secrets.mask(RecordJson.tree(entry));
        node.setAll((ObjectNode) masked);
        try {
            write((RecordJson.line(node) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new Lost(file, e);
        }
        return new Line(at, secrets == Secrets.NONE ? entry : readBack(masked, entry));
    }

    /** What a reader would see: the recap must not show what the file hides. */
    private static Entry readBack(JsonNode masked, Entry entry) {
        try {
            return RecordJson.record(masked, entry.getClass());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an entry does not read back", e);
        }
    }

    private void write(byte[] bytes) throws IOException {
        long start = out.getFilePointer();
        try {
            out.write(bytes);
            out.getFD().sync();
        } catch (IOException e) {
            cutBack(start, e);
            throw e;
        }
    }

    private void cutBack(long length, IOException cause) {
        try {
            out.setLength(length);
        } catch (IOException e) {
            cause.addSuppressed(e); // a torn line then, which reading skips
        }
    }

    private static String eventOf(Entry entry) {
        for (Map.Entry<String, Class<? extends Entry>> event : EVENTS.entrySet()) {
            if (event.getValue() == entry.getClass()) {
                return event.getKey();
            }
        }
        throw new IllegalArgumentException("no event name for " + entry.getClass());
    }

    /**
     * Reads a journal. Lines that can't be read are skipped and reported: the last one is torn when
     * gpuflow or the machine died while writing it.
     */
    public static Contents read(Path file) throws IOException {
        if (Files.size(file) > MAX_SIZE) {
            throw new IOException(file + " is larger than 256 MiB: not a journal of gpuflow");
        }
        return read(file.toString(), Files.readAllBytes(file));
    }

    /**
     * Likewise of a journal's content.
     *
     * @param file how problems name it
     */
    static Contents read(String file, byte[] bytes) {
        List<Line> lines = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int number = 0;
        int start = 0;
        while (start < bytes.length) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            number++;
            if (end > start) {
                boolean last = end == bytes.length;
                String text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
                readLine(file, number, last, text, lines, problems);
            }
            start = end + 1;
        }
        return new Contents(lines, problems);
    }

    private static void readLine(
            String file,
            int number,
            boolean last,
            String text,
            List<Line> lines,
            List<String> problems) {
        try {
            JsonNode node = RecordJson.parse(text);
            Class<? extends Entry> type = EVENTS.get(node.path("event").asText());
            if (type == null) {
                problems.add(file + ":" + number + ": not an event of this version; skipped");
                return;
            }
            Entry entry = RecordJson.record(node, type);
            lines.add(new Line(Instant.parse(node.path("at").asText()), entry));
        } catch (JsonProcessingException | RuntimeException e) {
            String what = last ? "the last line is torn" : "the line can't be read";
            problems.add(file + ":" + number + ": " + what + "; skipped");
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
