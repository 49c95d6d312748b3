package io.gpuflow.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A YAML file. Whatever is in it, reading ends soon and every problem is collected. */
public final class YamlDocument {
    /** Largest file read, bytes. */
    public static final int LARGEST = 1 << 20;

    private final String text;
    private final YamlNode root;

    private YamlDocument(String text, YamlNode root) {
        this.text = text;
        this.root = root;
    }

    /** The file as it is. */
    public String text() {
        return text;
    }

    /** Its value. */
    public YamlNode root() {
        return root;
    }

    /** Reads a file; null when problems were reported that keep it from being looked at. */
    public static YamlDocument read(Path path, Problems problems) {
        String file = path.toString();
        byte[] bytes = bytes(path, problems);
        String text = bytes == null ? null : text(file, bytes, problems);
        return text == null ? null : parse(file, text, problems);
    }

    /** Reads a text that came from the named file; null when problems were reported. */
    public static YamlDocument parse(String file, String text, Problems problems) {
        SourceText source = new SourceText(file, text);
        problems.know(source);
        YamlNode root = Composing.compose(source, problems);
        return root == null ? null : new YamlDocument(text, root);
    }

    private static byte[] bytes(Path path, Problems problems) {
        String file = path.toString();
        if (Files.isDirectory(path)) {
            problems.file(file, "is a folder", "name a YAML file");
            return null;
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            problems.file(file, "is not a plain file", "save it to a file first");
            return null;
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                long size = Math.max(Files.size(path), bytes.length);
                String says = "the file is too large: " + size + " bytes, at most " + LARGEST;
                problems.file(file, says, "is it the right file?");
                return null;
            }
            return bytes;
        } catch (NoSuchFileException e) {
            problems.file(file, "there is no such file", "check the name and the folder");
        } catch (AccessDeniedException e) {
            problems.file(file, "permission denied", "ask its owner to let you read it");
        } catch (IOException e) {
            problems.file(file, "can't be read: " + e.getMessage(), "name another file");
        }
        return null;
    }

    private static String text(String file, byte[] bytes, Problems problems) {
        if (startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0xff, 0xfe)) {
            problems.file(file, "the file is UTF-16", "save it as UTF-8");
            return null;
        }
        int skip = startsWith(bytes, 0xef, 0xbb, 0xbf) ? 3 : 0;
        ByteBuffer in = ByteBuffer.wrap(bytes, skip, bytes.length - skip);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CharsetDecoder decoder =
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            // The text itself is not shown: it would only spoil the terminal.
            Position at = new SourceText(file, text).at(nul);
            problems.at(at, "the file is binary: it holds a NUL byte", "is it the right file?");
            return null;
        }
        if (result.isError()) {
            Position at = new SourceText(file, text).at(text.length());
            String says = String.format("byte 0x%02x is not UTF-8", bytes[in.position()] & 0xff);
            problems.at(at, says, "save the file as UTF-8");
            return null;
        }
        return text;
    }

    private static boolean startsWith(byte[] bytes, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != start[i]) {
                return false;
            }
        }
        return true;
    }
}
