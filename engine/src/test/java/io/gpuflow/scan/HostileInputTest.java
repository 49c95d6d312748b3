package io.gpuflow.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Sighting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Files that are broken, huge, packed, or no files at all. */
class HostileInputTest {
    private static final String LINE =
            "RuntimeError: CUDA error: uncorrectable ECC error encountered\n";
    private static final Signatures SIGNATURES = Signatures.builtIn();

    @TempDir Path folder;

    private Logs read(Path... paths) {
        return assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    Logs logs = new Logs(SIGNATURES);
                    logs.read(List.of(paths));
                    return logs;
                });
    }

    private static List<Sighting> sightings(Logs logs) {
        return logs.facts().stream()
                .map(Observed::fact)
                .filter(Sighting.class::isInstance)
                .map(Sighting.class::cast)
                .filter(s -> s.signature().equals("gpu-ecc"))
                .distinct()
                .toList();
    }

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void packedLogsAreRead() throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write(text(LINE));
        }
        ByteArrayOutputStream xz = new ByteArrayOutputStream();
        try (OutputStream out = new XZOutputStream(xz, new LZMA2Options(1))) {
            out.write(text(LINE));
        }
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            out.putNextEntry(new ZipEntry("../../etc/passwd"));
            out.write(text(LINE));
        }
        file("a", gzip.toByteArray());
        file("b", xz.toByteArray());
        file("c", zip.toByteArray());
        Logs logs = read(folder);
        assertEquals(3, sightings(logs).get(0).count());
        assertTrue(logs.unread().isEmpty(), logs.unread().toString());
    }

    @Test
    void aBrokenArchiveIsToldAndWhatCameBeforeIsKept() throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            Random random = new Random(1);
            for (int i = 0; i < 4_000; i++) {
                out.write(text(LINE + random.nextLong() + "\n"));
            }
        }
        byte[] cut = java.util.Arrays.copyOf(gzip.toByteArray(), gzip.size() - 2_000);
        Logs logs = read(file("cut.gz", cut));
        assertEquals(1, logs.unread().size());
        assertFalse(sightings(logs).isEmpty());
    }

    @Test
    void matryoshkasEnd() throws IOException {
        byte[] inner = text(LINE);
        for (int i = 0; i < 6; i++) {
            ByteArrayOutputStream gzip = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(gzip)) {
                out.write(inner);
            }
            inner = gzip.toByteArray();
        }
        Logs logs = read(file("deep.gz", inner));
        assertEquals(1, logs.unread().size());
    }

    @Test
    void noiseBytesLongLinesAndNulsAreRead() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        byte[] filler = new byte[3 << 20];
        java.util.Arrays.fill(filler, (byte) 'x');
        log.write(text("start\n"));
        log.write(filler);
        log.write(text("\n" + "\u0000".repeat(100) + LINE));
        log.write(new byte[] {(byte) 0xff, (byte) 0xfe, '\n'});
        log.write(text(LINE));
        Logs logs = read(file("noise.log", log.toByteArray()));
        assertEquals(2, sightings(logs).get(0).count());
        assertTrue(logs.unread().get(0).why().contains("longer than"), logs.unread().toString());
    }

    @Test
    void zerosAfterTheLastLineHideNothing() throws IOException {
        Path log = file("crashed.log", text(LINE));
        try (java.io.RandomAccessFile sparse = new java.io.RandomAccessFile(log.toFile(), "rw")) {
            sparse.setLength(64L << 20);
        }
        assertEquals(1, sightings(read(log)).get(0).count());
    }

    @Test
    void whatIsNoFileIsTold() throws IOException {
        Path pipe = folder.resolve("pipe");
        boolean made;
        try {
            made = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            made = false;
        }
        assumeTrue(made, "no mkfifo here");
        Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));
        file("empty.log", new byte[0]);
        file("random.bin", random());
        Logs logs = read(folder, folder.resolve("absent.log"));
        assertEquals(5, logs.unread().size(), logs.unread().toString());
        assertFalse(logs.any());
    }

    private static byte[] random() {
        byte[] bytes = new byte[5_000];
        new Random(5).nextBytes(bytes);
        bytes[0] = 1;
        return bytes;
    }

    @Test
    void anythingCanBeFedToIt() throws IOException {
        Random random = new Random(11);
        byte[] seed = Files.readAllBytes(sample());
        for (int i = 0; i < 150; i++) {
            byte[] log = seed.clone();
            for (int k = random.nextInt(400); k > 0; k--) {
                log[random.nextInt(log.length)] = (byte) random.nextInt(256);
            }
            int from = random.nextInt(log.length);
            int to = from + random.nextInt(log.length - from);
            read(file("fuzz.log", java.util.Arrays.copyOfRange(log, from, to))).facts();
        }
    }

    private static Path sample() {
        return Path.of(
                System.getProperty("gpuflow.home", "."),
                "engine/samples/logs/gloo-cpu--exception_record.log");
    }

    @Test
    void aStreamOfTheKernelIsNotWaitedFor() {
        Path kmsg = Path.of("/proc/kmsg");
        assumeTrue(Files.isReadable(kmsg), "/proc/kmsg can't be read here");
        Logs logs = read(kmsg);
        assertTrue(logs.unread().get(0).why().contains("without end"), logs.unread().toString());
    }
}
