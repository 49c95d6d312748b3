package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Reads a small file, in bounded time and memory, whatever lies there. */
final class FileReader {
    static final int LARGEST = 4 << 20;

    /** A file of a healthy driver answers within milliseconds; a broken one may never answer. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private FileReader() {}

    static FileResult read(String path) {
        return read(path, LIMIT);
    }

    static FileResult read(String path, Duration limit) {
        try {
            return Bounded.within(limit, () -> readNow(path));
        } catch (TimeoutException e) {
            return no(path, "did not answer within " + Words.of(limit));
        } catch (ExecutionException e) {
            return no(path, "can't be read: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return no(path, "the run was interrupted");
        }
    }

    private static FileResult readNow(String path) {
        try {
            Path file = Path.of(path);
            BasicFileAttributes kind = Files.readAttributes(file, BasicFileAttributes.class);
            if (!kind.isRegularFile()) {
                return no(path, kind.isDirectory() ? "is a folder" : "is a device or a pipe");
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    return no(path, "is larger than " + (LARGEST >> 20) + " MiB");
                }
                return new FileResult(path, new String(bytes, StandardCharsets.UTF_8), null, false);
            }
        } catch (NoSuchFileException e) {
            return new FileResult(path, null, "does not exist", true);
        } catch (IOException e) {
            if (Words.isBelowAFile(e)) {
                return new FileResult(path, null, "does not exist", true);
            }
            return no(path, Words.of(e));
        } catch (InvalidPathException e) {
            return no(path, "is not a valid file name");
        }
    }

    private static FileResult no(String path, String why) {
        return new FileResult(path, null, why, false);
    }
}
