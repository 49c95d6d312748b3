package io.gpuflow.tool;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folder of a recording, from which nothing outside can be reached: it may have been made by
 * anybody.
 */
final class RecordingFolder {
    static final long LARGEST_OUTPUT = 1L << 30;
    private static final int LARGEST_JSON = 16 << 20;

    private static final ObjectMapper MAPPER =
            new ObjectMapper(
                            JsonFactory.builder()
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(20)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path root;
    private final Path realRoot;

    RecordingFolder(Path root) throws IOException {
        this.root = root;
        this.realRoot = root.toRealPath();
    }

    Path root() {
        return root;
    }

    boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Makes sure that a file lies in the folder and is one.
     *
     * @throws IOException saying in words why it is not taken
     */
    void check(Path file, long largest) throws IOException {
        BasicFileAttributes kind;
        try {
            kind = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw new IOException(Words.of(e), e);
        }
        if (kind.isSymbolicLink()) {
            throw new IOException("is a link; a recording holds plain files only");
        }
        if (!kind.isRegularFile()) {
            throw new IOException(kind.isDirectory() ? "is a folder" : "is a device or a pipe");
        }
        if (kind.size() > largest) {
            throw new IOException("is larger than " + (largest >> 20) + " MiB");
        }
        if (!file.toRealPath().startsWith(realRoot)) {
            throw new IOException("lies outside the recording");
        }
    }

    /** Null when there is no such file. */
    JsonNode json(Path file) throws IOException {
        if (!exists(file)) {
            return null;
        }
        check(file, LARGEST_JSON);
        try (InputStream in = Files.newInputStream(file)) {
            JsonNode node = MAPPER.readTree(in);
            if (node == null || node.isMissingNode()) {
                throw new IOException("is empty");
            }
            return node;
        } catch (JsonProcessingException e) {
            String at = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new IOException("is not valid JSON: " + at + e.getOriginalMessage(), e);
        }
    }

    /** Where the content of a file of the machine is kept; null when its name is no valid path. */
    Path mirror(String path) {
        Path file = Path.of(path).normalize();
        Path below = root.resolve("files");
        for (Path name : file) {
            if (!name.toString().equals("..")) {
                below = below.resolve(name);
            }
        }
        return below;
    }
}
