package io.gpuflow.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.facts.Observed;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The facts of one attempt on disk, one a line. */
final class FactFile {
    /** Far above what a step brings; a larger file was not written by us. Bytes. */
    static final long MAX_SIZE = 256L << 20;

    private FactFile() {}

    /**
     * Writes the facts and waits until they are on disk.
     *
     * @return the file's hash
     */
    static String write(Path file, List<Observed> facts, Secrets secrets) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Observed fact : facts) {
            JsonNode tree = secrets.mask(RecordJson.factTree(fact));
            text.append(RecordJson.line(tree)).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(bytes);
            out.getFD().sync();
        }
        return hash(bytes);
    }

    /**
     * Reads them back.
     *
     * @throws IOException also when the file is not the one that was written
     */
    static List<Observed> read(Path file, String hash) throws IOException {
        if (Files.size(file) > MAX_SIZE) {
            throw new IOException(file + " is larger than 256 MiB");
        }
        return read(file.toString(), Files.readAllBytes(file), hash);
    }

    /**
     * Likewise from a file's content.
     *
     * @param file how problems name it
     */
    static List<Observed> read(String file, byte[] bytes, String hash) throws IOException {
        if (!hash(bytes).equals(hash)) {
            throw new IOException(file + " was changed after the run wrote it");
        }
        List<Observed> facts = new ArrayList<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            Observed fact = line.isEmpty() ? null : RecordJson.fact(RecordJson.parse(line));
            if (fact != null) {
                facts.add(fact);
            }
        }
        return facts;
    }

    static String hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String hash(String text) {
        return hash(text.getBytes(StandardCharsets.UTF_8));
    }
}
