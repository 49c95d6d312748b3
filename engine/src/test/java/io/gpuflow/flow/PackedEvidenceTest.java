package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.zstd.ZstdOutputStream;
import io.gpuflow.facts.RasRank;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps, RAS answers and logs are read out of archives; a damaged one is never called healthy. */
class PackedEvidenceTest {
    private static final RuleBook RULES = ShippedRules.load();
    private static final int ROUNDS = Integer.getInteger("packed.fuzz", 60);
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    @TempDir Path folder;

    private static Map<String, byte[]> shapeDiffers() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(SAMPLES.resolve("planted/h200x2/shape"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put("a job/dumps/" + file.getFileName(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private Diagnosis diagnose(String name, byte[] content) throws IOException {
        return Diagnosis.of(List.of(Files.write(folder.resolve(name), content)), RULES);
    }

    @Test
    void dumpsInArchives() throws IOException {
        byte[] tar = tar(shapeDiffers());
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write(tar);
        }
        ByteArrayOutputStream zstd = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(zstd)) {
            out.write(tar);
        }
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            for (Map.Entry<String, byte[]> file : shapeDiffers().entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue());
            }
        }
        for (byte[] packed :
                List.of(tar, gzip.toByteArray(), zstd.toByteArray(), zip.toByteArray())) {
            Diagnosis d = diagnose("evidence", packed);
            Verdict root = d.verdicts().get(0);
            assertEquals("tensor-shape-mismatch", root.cause());
            assertTrue(d.unread().isEmpty(), d.unread().toString());
            String file = root.evidence().get(0).text();
            assertTrue(file.contains("evidence!a job/dumps/"), file);
        }
    }

    @Test
    void answersOfRasInArchives() throws IOException {
        byte[] ras = Files.readAllBytes(SAMPLES.resolve("ras/h200x2--one-rank-missing.out"));
        Diagnosis d = diagnose("evidence.tar", tar(Map.of("ras.txt", ras)));
        assertTrue(d.facts().stream().anyMatch(o -> o.fact() instanceof RasRank));
    }

    @Test
    void longNamesOfPosixAreRead() throws IOException {
        String path = "d/".repeat(80) + "nccl_trace_rank_1";
        String record = " path=" + path + "\n";
        int length = record.length() + 3;
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        byte[] extended = (length + record).getBytes(StandardCharsets.UTF_8);
        entry(tar, "PaxHeaders/x", 'x', extended);
        entry(
                tar,
                "cut",
                '0',
                "{\"comm_lib_version\":\"2.28.9\",\"entr".getBytes(StandardCharsets.UTF_8));
        tar.write(new byte[1024]);
        Diagnosis d = diagnose("evidence.tar", tar.toByteArray());
        assertTrue(d.unread().get(0).file().endsWith("d/nccl_trace_rank_1"), d.unread().toString());
    }

    @Test
    void aDamagedDumpIsNeverHealth() throws IOException {
        String whole =
                "{\"comm_lib_version\":\"2.28.9\",\"entries\":[{\"collective_seq_id\":1,"
                        + "\"profiling_name\":\"nccl:all_reduce\",\"state\":\"completed\"}]}";
        for (int end = 40; end < whole.length(); end++) {
            Path dumps = Files.createDirectories(folder.resolve("cut" + end));
            Files.writeString(dumps.resolve("trace_0.json"), whole.substring(0, end));
            Files.writeString(dumps.resolve("job.log"), "step 10 loss=0.5\nstep 11 loss=0.4\n");
            Diagnosis d = Diagnosis.of(List.of(dumps), RULES);
            assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
            assertEquals(1, d.unread().size());
            assertTrue(d.note().contains("not everything"), d.note());
        }
    }

    @Test
    void aBrokenEntryIsToldAndTheOthersAreRead() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        files.put("a.gz", new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3});
        files.put(
                "b.log",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
                        .getBytes(StandardCharsets.UTF_8));
        byte[] tar = tar(files);
        Diagnosis d = diagnose("evidence.tar", tar);
        assertEquals("rank-oom", d.verdicts().get(0).cause());
        assertEquals(1, d.unread().size());
        Diagnosis cut = diagnose("cut.tar", Arrays.copyOf(tar, tar.length - 1_500));
        assertTrue(cut.unread().stream().anyMatch(u -> u.why().equals("is cut off")));
    }

    @Test
    void damagedArchivesAreReadAsFarAsTheyGo() throws IOException {
        byte[] tar = tar(shapeDiffers());
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write(tar);
        }
        ByteArrayOutputStream zstd = new ByteArrayOutputStream();
        try (OutputStream out = new ZstdOutputStream(zstd)) {
            out.write(tar);
        }
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            for (Map.Entry<String, byte[]> file : shapeDiffers().entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue());
            }
        }
        Random random = new Random(8);
        for (int i = 0; i < ROUNDS; i++) {
            for (byte[] packed :
                    List.of(tar, gzip.toByteArray(), zstd.toByteArray(), zip.toByteArray())) {
                byte[] copy = packed.clone();
                for (int k = random.nextInt(20); k >= 0; k--) {
                    copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
                }
                int length = random.nextInt(3) == 0 ? random.nextInt(copy.length) : copy.length;
                Path file = Files.write(folder.resolve("damaged"), Arrays.copyOf(copy, length));
                JobEvidence.read(List.of(file), List.of());
            }
        }
    }

    @Test
    void whatIsNoLogOfAJobIsSaidSo() throws IOException {
        Diagnosis d =
                diagnose("README.md", "# Title\n\nSome words.\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
        assertTrue(d.note().contains("Nothing was recognised"), d.note());
        assertFalse(diagnose("x", new byte[0]).outcome() == Diagnosis.Outcome.HEALTHY);
    }

    private static byte[] tar(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            entry(tar, file.getKey(), '0', file.getValue());
        }
        tar.write(new byte[1024]);
        return tar.toByteArray();
    }

    private static void entry(OutputStream tar, String name, char type, byte[] content)
            throws IOException {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 124, String.format("%011o", content.length));
        header[156] = (byte) type;
        put(header, 257, "ustar");
        tar.write(header);
        tar.write(content);
        tar.write(new byte[(512 - content.length % 512) % 512]);
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
