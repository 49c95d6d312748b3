package io.gpuflow.scan;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An archive on disk, compressed or not, read file by file with limits and without writing. */
public final class ArchiveFile {
    /** Receives a file; its stream ends with it. */
    public interface Taker {
        void take(String name, InputStream content) throws IOException;
    }

    private ArchiveFile() {}

    /** Name of the first file in a tar archive; null when it is none, or can't be read so far. */
    public static String firstName(Path file) {
        try (InputStream in = open(file, new Packed.Budget())) {
            byte[] head = Inputs.head(in, Content.HEAD);
            return "tar".equals(Packed.format(head)) ? Archive.firstName(head) : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Hands over all plain files in their order.
     *
     * @param most bytes that it may unfold to
     * @param unread takes what is no plain file, such as links
     * @throws IOException when it is broken; what came before was handed over
     */
    public static void read(Path file, long most, Taker taker, List<Unread> unread)
            throws IOException {
        Packed.Budget budget = new Packed.Budget(most);
        try (InputStream in = open(file, budget)) {
            String format = Packed.format(Inputs.head(in, Content.HEAD));
            if (!"tar".equals(format) && !"zip".equals(format)) {
                throw new IOException("is no archive");
            }
            Archive.read(
                    format,
                    file.toString(),
                    in,
                    budget,
                    (name, content) -> taker.take(inner(file, name), content),
                    unread);
        } catch (RuntimeException e) {
            throw new IOException("is broken: " + e.getMessage(), e);
        }
    }

    private static String inner(Path file, String name) {
        return name.substring(file.toString().length() + 1);
    }

    private static InputStream open(Path file, Packed.Budget budget) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            return Content.unfolded(in, budget);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }
}
