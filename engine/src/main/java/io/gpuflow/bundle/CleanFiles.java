package io.gpuflow.bundle;

import io.gpuflow.scan.Content;
import io.gpuflow.scan.NotableLines;
import io.gpuflow.tool.MaskedCopy;
import io.gpuflow.trace.CleanDump;
import io.gpuflow.trace.DumpReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * What a file is in a bundle: the records of a run and dumps value by value, texts line by line;
 * what is neither only in a bundle that is not redacted.
 */
final class CleanFiles {
    private static final int MOST_DUMP = 128 << 20;
    private static final int MOST_BINARY = 64 << 20;

    private final Clean clean;
    private final CleanRecords records;
    private final boolean run;
    private final Collection<String> secrets;
    private final Supplier<NotableLines> notable;

    CleanFiles(
            Clean clean, boolean run, Collection<String> secrets, Supplier<NotableLines> notable) {
        this.clean = clean;
        this.records = new CleanRecords(clean);
        this.run = run;
        this.secrets = secrets;
        this.notable = notable;
    }

    private boolean isRecord(String name) {
        return run && BundleFile.isRecord(name);
    }

    /** The facts file of this name has another hash in the bundle. */
    void hash(String name, String sha256) {
        records.hash(name, sha256);
    }

    /** Takes note of the private names in a file. */
    void learn(Found.Item item) throws IOException {
        clean.learn(item.name());
        try (InputStream in = open(item)) {
            byte[] head = Content.head(in);
            if (isRecord(item.name())) {
                records.learn(in);
            } else if (DumpReader.looksLike(head)) {
                CleanDump.texts(dump(in), clean::learn);
            } else if (Content.of(head) == Content.TEXT) {
                LongText.read(in, notable, clean::learn);
            }
        }
    }

    /**
     * Writes a file as it is to be in the bundle.
     *
     * @return what it lacks there, in words, or null
     * @throws LeftOut when it can't be in it
     */
    String write(Found.Item item, OutputStream out) throws IOException {
        try (InputStream in = open(item)) {
            byte[] head = Content.head(in);
            if (isRecord(item.name())) {
                int torn = records.write(in, out);
                return torn == 0 ? null : torn + " damaged lines are left out";
            }
            boolean dump = DumpReader.looksLike(head);
            if (dump && clean.redacts()) {
                CleanDump.write(dump(in), clean::again, out);
                return null;
            }
            Content kind = Content.of(head);
            if (kind == Content.TEXT && !dump) {
                return LongText.read(in, notable, piece -> out.write(bytes(piece)));
            }
            if (kind != Content.EMPTY) {
                binary(kind, in, out);
            }
            return null;
        }
    }

    private byte[] bytes(String piece) {
        return clean.text(piece).getBytes(StandardCharsets.UTF_8);
    }

    private void binary(Content kind, InputStream in, OutputStream out) throws IOException {
        if (clean.redacts()) {
            boolean packed = kind == Content.ARCHIVE || kind == Content.PACKED;
            throw new LeftOut(
                    packed
                            ? "is packed; unpack it and name its folder"
                            : "is no text and can't be redacted",
                    packed);
        }
        byte[] whole = in.readNBytes(MOST_BINARY + 1);
        if (whole.length > MOST_BINARY) {
            throw new LeftOut("is larger than " + (MOST_BINARY >> 20) + " MiB", false);
        }
        MaskedCopy.copy(new java.io.ByteArrayInputStream(whole), out, true, secrets);
    }

    private static byte[] dump(InputStream in) throws IOException {
        byte[] whole = in.readNBytes(MOST_DUMP + 1);
        if (whole.length > MOST_DUMP) {
            throw new LeftOut("a dump larger than " + (MOST_DUMP >> 20) + " MiB", true);
        }
        return whole;
    }

    private static InputStream open(Found.Item item) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(item.path()), 1 << 16);
        try {
            return Content.unfolded(in);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }
}
