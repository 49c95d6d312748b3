package io.gpuflow.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A text file that a user named, read whole. Refuses what is not text or too large, with the
 * reason; bytes that are not valid UTF-8 are replaced.
 */
final class InputFile {
    /** More than any tool's saved output; logs beyond it belong to diagnose. */
    static final long MAX_BYTES = 64L * 1024 * 1024;

    private static final int SAMPLE = 64 * 1024;

    private InputFile() {}

    /** Why a file could not be read, in words a user can act on. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String why) {
            super(why);
        }
    }

    /** The whole of a file, or of standard input for "-". */
    static String text(Path path) throws Unreadable {
        if (path.toString().equals("-")) {
            return text(bytes(System.in));
        }
        if (!Files.exists(path)) {
            throw new Unreadable("no such file");
        }
        if (Files.isDirectory(path)) {
            throw new Unreadable("is a folder; name the files in it");
        }
        // What a shell's <(command) names is below /dev, and its writer is there already.
        if (!Files.isRegularFile(path) && !path.toAbsolutePath().startsWith("/dev")) {
            throw new Unreadable("is not a plain file; for a pipe, give - and redirect it");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return text(bytes(in));
        } catch (IOException failed) {
            throw new Unreadable(Files.isReadable(path) ? "cannot be read" : "permission denied");
        }
    }

    private static byte[] bytes(InputStream in) throws Unreadable {
        try {
            return in.readNBytes((int) MAX_BYTES + 1);
        } catch (IOException failed) {
            throw new Unreadable("cannot be read");
        }
    }

    static String text(byte[] bytes) throws Unreadable {
        if (bytes.length > MAX_BYTES) {
            throw new Unreadable("larger than 64 MiB; give large logs to gpuflow diagnose");
        }
        Charset wide = wideCharset(bytes);
        if (wide != null) {
            return wide.decode(ByteBuffer.wrap(bytes)).toString();
        }
        if (isBinary(bytes)) {
            throw new Unreadable("is not text; save the tool's output as text or JSON");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** UTF-16, which a redirect in a Windows shell writes; null for anything else. */
    private static Charset wideCharset(byte[] bytes) {
        if (bytes.length < 2) {
            return null;
        }
        int mark = (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        return mark == 0xfffe || mark == 0xfeff ? StandardCharsets.UTF_16 : null;
    }

    /** True when more than one byte in twenty of the beginning is no character of a text. */
    private static boolean isBinary(byte[] bytes) {
        int length = Math.min(bytes.length, SAMPLE);
        int control = 0;
        for (int i = 0; i < length; i++) {
            int b = bytes[i] & 0xff;
            boolean text =
                    b >= ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' || b == 0x1b;
            control += text ? 0 : 1;
        }
        return control * 20 > length;
    }
}
