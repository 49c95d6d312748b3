package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;

/**
 * Copies files without the declared secrets in them. In a binary file a secret is replaced by as
 * many characters as it has, so that the file's own lengths and offsets stay right.
 */
public final class MaskedCopy {
    private static final int BUFFER = 1 << 16;

    private MaskedCopy() {}

    /** Copies one file; an existing one is replaced. */
    public static void copy(Path from, Path to, Collection<String> secrets) throws IOException {
        if (secrets.isEmpty()) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try (InputStream in = Files.newInputStream(from);
                OutputStream out = Files.newOutputStream(to)) {
            copy(in, out, isBinary(from), secrets);
        }
    }

    /** Copies a stream to its end. */
    public static void copy(
            InputStream in, OutputStream out, boolean binary, Collection<String> secrets)
            throws IOException {
        SecretMask mask = new SecretMask(secrets, binary);
        byte[] buffer = new byte[BUFFER];
        int count;
        while ((count = in.read(buffer)) >= 0) {
            out.write(mask.next(buffer, count));
        }
        out.write(mask.rest());
    }

    /**
     * Masks every file below a folder where it lies, but for those in the folder {@code leave}.
     *
     * @param leave name of a folder whose files are masked already
     */
    public static void inPlace(Path folder, String leave, Collection<String> secrets)
            throws IOException {
        if (secrets.isEmpty()) {
            return;
        }
        for (Path file : KeptFiles.below(folder)) {
            boolean masked = folder.relativize(file).startsWith(leave);
            if (!masked && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                inPlace(file, secrets);
            }
        }
    }

    /** Masks one file where it lies; it is left as it is when it holds no secret. */
    static void inPlace(Path file, Collection<String> secrets) throws IOException {
        if (!holdsOne(file, secrets)) {
            return;
        }
        Path masked = file.resolveSibling(file.getFileName() + ".new");
        copy(file, masked, secrets);
        Files.move(masked, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean holdsOne(Path file, Collection<String> secrets) throws IOException {
        SecretMask mask = new SecretMask(secrets);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER];
            int count;
            while ((count = in.read(buffer)) >= 0) {
                mask.next(buffer, count);
            }
        }
        mask.rest();
        return mask.found();
    }

    private static boolean isBinary(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (byte b : in.readNBytes(8192)) {
                if (b == 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
