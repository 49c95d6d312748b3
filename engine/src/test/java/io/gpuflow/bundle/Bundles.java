package io.gpuflow.bundle;

import io.gpuflow.scan.ArchiveFile;
import io.gpuflow.scan.NotableLines;
import io.gpuflow.scan.Signatures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Makes bundles for tests, good and bad ones, and looks into them. */
final class Bundles {
    static final Instant MADE = Instant.parse("2026-11-29T15:32:51Z");

    private Bundles() {}

    static BundleWriter.Manner manner(boolean redact, String... secrets) {
        return new BundleWriter.Manner(
                redact,
                List.of(secrets),
                List.of(),
                List.of(),
                () -> new NotableLines(Signatures.builtIn()),
                "0.1.0",
                MADE);
    }

    /** Its files by name, in their order, without the folder that all are in. */
    static Map<String, String> files(Path bundle) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        ArchiveFile.read(
                bundle,
                1L << 30,
                (name, content) ->
                        files.put(
                                name.substring(name.indexOf('/') + 1),
                                new String(content.readAllBytes(), StandardCharsets.UTF_8)),
                new ArrayList<>());
        return files;
    }

    /** An archive of these files as they stand. */
    static Path archive(Path file, Map<String, String> files) throws IOException {
        OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file));
        try (TarWriter tar = new TarWriter(gzip, MADE)) {
            for (Map.Entry<String, String> one : files.entrySet()) {
                byte[] content = one.getValue().getBytes(StandardCharsets.UTF_8);
                tar.file(one.getKey(), content.length, new ByteArrayInputStream(content));
            }
        }
        return file;
    }
}
