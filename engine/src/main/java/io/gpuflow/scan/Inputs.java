package io.gpuflow.scan;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the files below the given paths. Follows no link out of a folder, opens nothing that is not
 * a plain file, and stops at limits; what is left out is said.
 */
final class Inputs {
    /** Files read in one diagnosis. */
    static final int MOST_FILES = 50_000;

    private static final int DEEPEST = 24;

    private static final Set<String> WAITING = Set.of("kmsg", "trace_pipe", "trace_pipe_raw");
    private static final Set<String> KERNEL = Set.of("proc", "tracefs", "debugfs");

    private final List<Input> found = new ArrayList<>();
    private final List<Unread> unread;
    private long leftOut;

    private Inputs(List<Unread> unread) {
        this.unread = unread;
    }

    static List<Input> below(List<Path> paths, List<Unread> unread) {
        Inputs inputs = new Inputs(unread);
        for (Path path : paths) {
            inputs.named(path);
        }
        if (inputs.leftOut > 0) {
            unread.add(
                    new Unread(
                            "(more files)",
                            inputs.leftOut
                                    + " files beyond the first "
                                    + MOST_FILES
                                    + ": name the interesting ones",
                            true));
        }
        return inputs.found;
    }

    private void named(Path path) {
        if (path.toString().equals("-")) {
            found.add(new Input("(standard input)", null, -1, thisYear(), () -> System.in));
        } else if (!Files.exists(path)) {
            unread.add(new Unread(path.toString(), "does not exist", true));
        } else if (Files.isDirectory(path)) {
            folder(path, 0);
        } else {
            file(path);
        }
    }

    private void folder(Path folder, int depth) {
        if (depth > DEEPEST) {
            unread.add(
                    new Unread(folder.toString(), "more than " + DEEPEST + " folders deep", true));
            return;
        }
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path child : stream) {
                if (children.size() + found.size() < MOST_FILES) {
                    children.add(child);
                } else {
                    leftOut++;
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            unread.add(new Unread(folder.toString(), reason(e), true));
        }
        children.sort(null);
        for (Path child : children) {
            if (Files.isSymbolicLink(child)) {
                unread.add(new Unread(child.toString(), "a link; name its target to read it"));
            } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                folder(child, depth + 1);
            } else {
                file(child);
            }
        }
    }

    private void file(Path path) {
        if (found.size() >= MOST_FILES) {
            leftOut++;
        } else if (!Files.isRegularFile(path)) {
            unread.add(new Unread(path.toString(), "not a plain file (pipe, socket or device)"));
        } else if (!Files.isReadable(path)) {
            unread.add(new Unread(path.toString(), "permission denied", true));
        } else if (waits(path)) {
            unread.add(
                    new Unread(
                            path.toString(),
                            "a stream of the kernel, without end: save dmesg to a file",
                            true));
        } else {
            try {
                long size = Files.size(path);
                int year = year(Files.getLastModifiedTime(path).toInstant());
                found.add(
                        new Input(
                                path.toString(),
                                path,
                                size,
                                year,
                                () -> new BufferedInputStream(Files.newInputStream(path))));
            } catch (IOException e) {
                unread.add(new Unread(path.toString(), reason(e), true));
            }
        }
    }

    /** These look like plain files; reading them waits for the next message, for ever. */
    private static boolean waits(Path path) {
        try {
            Path name = path.toRealPath().getFileName();
            return name != null
                    && WAITING.contains(name.toString())
                    && KERNEL.contains(Files.getFileStore(path).type());
        } catch (IOException e) {
            return false;
        }
    }

    private static int year(Instant changed) {
        return changed.atOffset(ZoneOffset.UTC).getYear();
    }

    private static int thisYear() {
        return year(Instant.now());
    }

    static String reason(Exception e) {
        String message = e.getMessage();
        return e instanceof java.nio.file.AccessDeniedException
                ? "permission denied"
                : e instanceof java.io.EOFException
                        ? "is cut off"
                        : message == null ? e.getClass().getSimpleName() : message;
    }

    /** The first bytes of a stream that can be marked. */
    static byte[] head(InputStream in, int bytes) throws IOException {
        in.mark(bytes);
        byte[] head = in.readNBytes(bytes);
        in.reset();
        return head;
    }
}
