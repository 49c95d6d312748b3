package io.gpuflow.flow;

import io.gpuflow.bundle.BundleFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * Where a run lives on disk, held by one process at a time:
 *
 * <pre>
 * gpuflow-runs/2026-11-29T153251Z-setup/
 *   journal.jsonl              what happened, the only thing that is read back
 *   workflow.yaml              the workflow as it was run
 *   steps/smoke/1/             what the first attempt of smoke wrote
 *   steps/smoke/1.facts.jsonl  the facts it brought
 *   steps/smoke/2-p2p-off/     its second attempt, an experiment
 * </pre>
 */
public final class RunFolder implements Closeable {
    /** Folder that holds the runs, in the folder where gpuflow was started. */
    public static final String RUNS = "gpuflow-runs";

    public static final String JOURNAL = BundleFile.JOURNAL;
    public static final String WORKFLOW = "workflow.yaml";

    private static final String LOCK = "lock";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int MAX_LABEL = 60;
    private static final int MAX_SAME_SECOND = 1000;

    /** Another process has this run. */
    public static final class InUse extends IOException {
        private static final long serialVersionUID = 1L;

        InUse(Path folder, String by) {
            super(folder + " is in use by another gpuflow" + by + "; wait for it or end it");
        }
    }

    private final Path path;
    private final RandomAccessFile lockFile;

    private RunFolder(Path path, RandomAccessFile lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** Makes a folder for a new run below parent, named by the time and the workflow. */
    public static RunFolder create(Path parent, String workflow, Instant now) throws IOException {
        Files.createDirectories(parent);
        String name = TIME.format(now) + "-" + label(workflow);
        for (int i = 1; i <= MAX_SAME_SECOND; i++) {
            Path path = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                Files.createDirectory(path);
                return open(path);
            } catch (FileAlreadyExistsException e) {
                // two runs began in the same second: take the next name
            }
        }
        throw new IOException("too many runs in " + parent + " named " + name);
    }

    /**
     * Makes exactly this folder for a new run.
     *
     * @throws FileAlreadyExistsException when it holds a run already
     */
    public static RunFolder createAt(Path path) throws IOException {
        if (Files.exists(path.resolve(JOURNAL))) {
            throw new FileAlreadyExistsException(
                    path + " holds a run already; go on with it by --resume " + path);
        }
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new FileAlreadyExistsException(
                    path + " is a file; name another folder: --run-dir DIR");
        }
        Files.createDirectories(path);
        return open(path);
    }

    /** Takes hold of a run's folder. The hold ends with this process, however it ends. */
    public static RunFolder open(Path path) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.resolve(LOCK).toFile(), "rw");
        FileLock lock = null;
        try {
            lock = file.getChannel().tryLock();
        } catch (OverlappingFileLockException e) {
            // held by this very process: in use all the same
        }
        if (lock == null) {
            String by = file.readLine();
            file.close();
            throw new InUse(path, by == null ? "" : ", process " + by);
        }
        file.setLength(0);
        file.write((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
        return new RunFolder(path, file);
    }

    public Path path() {
        return path;
    }

    public Path journal() {
        return path.resolve(JOURNAL);
    }

    /** Name of an attempt's folder, relative to the run's: {@code steps/bench/3-all_reduce}. */
    static String attemptName(
            String step, int attempt, Map<String, Object> matrix, String experiment) {
        StringBuilder name = new StringBuilder("steps/" + label(step) + "/" + attempt);
        for (Object value : matrix.values()) {
            name.append('-').append(label(String.valueOf(value)));
        }
        if (experiment != null) {
            name.append('-').append(label(experiment));
        }
        return name.toString();
    }

    /** Makes a folder below this run's. */
    Path makeFolder(String name) throws IOException {
        return Files.createDirectories(path.resolve(name));
    }

    /** A part of a file name: nothing that a shell or a file system would take for more. */
    private static String label(String text) {
        String safe = text.replaceAll("[^A-Za-z0-9._]+", "-").replaceAll("^[.-]+|-+$", "");
        String named = safe.isEmpty() ? "x" : safe;
        return named.length() > MAX_LABEL ? named.substring(0, MAX_LABEL) : named;
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
