package io.gpuflow.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleWriterTest {
    private static final Path DUMPS =
            Path.of(System.getProperty("gpuflow.home", "."))
                    .resolve("engine/samples/planted/h200x2/shape");

    @TempDir Path dir;
    private Path logs;
    private Path out;

    @BeforeEach
    void logs() throws IOException {
        logs = Files.createDirectories(dir.resolve("job/zeus-17"));
        out = dir.resolve("b.tar.gz");
        Files.writeString(
                logs.resolve("rank0.log"),
                "zeus-17:800:900 [0] NCCL INFO Bootstrap: Using eth0:10.1.2.3<0>\n"
                        + "GPU 0 (UUID: GPU-3d1a2b3c-1111-2222-3333-444455556666)\n"
                        + "reads /home/alice/secret-project/train.py\n"
                        + "HF_TOKEN=hf_abcdefghijklmnopqrstuvwx\n");
        Files.writeString(
                logs.resolve("rank1.log"),
                "lost contact to zeus-17 (10.1.2.3)\n"
                        + "peer GPU-3d1a2b3c-1111-2222-3333-444455556666 is gone\n");
    }

    private BundleWriter.Made make(boolean redact, String... secrets) throws IOException {
        return BundleWriter.logs(
                List.of(dir.resolve("job")),
                new BundleWriter.Target(out, false),
                Bundles.manner(redact, secrets));
    }

    private static String why(BundleWriter.Made made, String file) {
        return made.manifest().leftOut().stream()
                .filter(l -> l.name().endsWith(file))
                .map(Manifest.Left::why)
                .findFirst()
                .orElse("");
    }

    @Test
    void whatIsPrivateIsReplacedTheSameWayInAllFiles() throws IOException {
        make(true);
        Map<String, String> files = Bundles.files(out);
        for (Map.Entry<String, String> file : files.entrySet()) {
            String all = file.getKey() + file.getValue();
            for (String known :
                    List.of("zeus", "10.1.2.3", "alice", "secret-project", "3d1a2b3c")) {
                assertFalse(all.contains(known), known + " in " + all);
            }
            assertFalse(all.contains("hf_abc"), all);
        }
        List<String> names = List.copyOf(files.keySet());
        assertEquals("bundle.json", names.get(0));
        String folder = names.get(1).substring(0, names.get(1).lastIndexOf('/'));
        assertTrue(folder.matches("job/host-\\d+"), folder);
        String host = folder.substring(4);
        String first = files.get(folder + "/rank0.log");
        String second = files.get(folder + "/rank1.log");
        String uuid = "GPU-00000000-0000-0000-0000-000000000001";
        assertTrue(first.startsWith(host + ":800:900 [0]"), first);
        assertTrue(second.contains("lost contact to " + host + " (ip-1)"), second);
        assertTrue(first.contains(uuid) && second.contains(uuid), first + second);
        assertTrue(first.contains("/train.py"), first);
        assertEquals(4, first.lines().count());
    }

    @Test
    void aPlainOneHasAllButTheSecrets() throws IOException {
        Files.writeString(logs.resolve("out.txt"), "pass hunter22 on\n");
        Files.write(logs.resolve("core"), binary("hunter22"));
        make(false, "hunter22");
        Map<String, String> files = Bundles.files(out);
        assertTrue(files.get("job/zeus-17/rank0.log").contains("10.1.2.3"));
        assertEquals("pass *** on\n", files.get("job/zeus-17/out.txt"));
        String core = files.get("job/zeus-17/core");
        assertTrue(core.contains("********") && !core.contains("hunter22"), "a binary file, too");
    }

    private static byte[] binary(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(new byte[400]);
        bytes.write(text.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 400; i++) {
            bytes.write(i % 7);
        }
        return bytes.toByteArray();
    }

    @Test
    void whatCanNotBeRedactedIsLeftOutAndSaid() throws IOException {
        Files.write(logs.resolve("core"), binary("alice"));
        Files.createSymbolicLink(logs.resolve("link"), Path.of("/etc/passwd"));
        Bundles.archive(logs.resolve("old.tar.gz"), Map.of("a/b.log", "alice"));
        BundleWriter.Made made = make(true);
        assertEquals("is no text and can't be redacted", why(made, "core"));
        assertEquals("a link, or no plain file", why(made, "link"));
        assertEquals("is packed; unpack it and name its folder", why(made, "old.tar.gz"));
        Map<String, String> files = Bundles.files(out);
        assertEquals(3, files.size(), files.keySet().toString());
        assertTrue(files.get("bundle.json").contains("can't be redacted"));
    }

    @Test
    void packedLogsAreUnpackedSoThatTheyCanBeRedacted() throws IOException {
        try (OutputStream gzip =
                new GZIPOutputStream(Files.newOutputStream(logs.resolve("rank2.log.gz")))) {
            gzip.write("from zeus-17\n".getBytes(StandardCharsets.UTF_8));
        }
        make(true);
        String text =
                Bundles.files(out).entrySet().stream()
                        .filter(e -> e.getKey().endsWith("rank2.log"))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow();
        assertTrue(text.matches("from host-\\d+\n"), text);
    }

    @Test
    void dumpsAreWrittenAnewAsJson() throws IOException {
        Path dump;
        try (Stream<Path> all = Files.walk(DUMPS)) {
            dump =
                    all.filter(f -> Files.isRegularFile(f))
                            .filter(f -> f.getFileName().toString().matches(".*\\d"))
                            .findFirst()
                            .orElseThrow();
        }
        byte[] pickle = Files.readAllBytes(dump);
        assertEquals((byte) 0x80, pickle[0]);
        Files.write(logs.resolve("nccl_trace_rank_0"), pickle);
        make(true);
        String json =
                Bundles.files(out).entrySet().stream()
                        .filter(e -> e.getKey().endsWith("nccl_trace_rank_0"))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow();
        assertTrue(json.startsWith("{") && json.contains("\"entries\""), json.substring(0, 99));
    }

    @Test
    void ofAVeryLargeLogTheEndsAndWhatIsKnownAreKept() throws IOException {
        try (var big = Files.newBufferedWriter(logs.resolve("big.log"))) {
            int line = 0;
            for (long bytes = 0; bytes < 40L << 20; bytes += 60) {
                big.write(String.format("step %08d of nothing that anybody has to know%n", line));
                if (++line == 200_000) {
                    big.write("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n");
                }
            }
            big.write("the end on zeus-17\n");
        }
        BundleWriter.Made made = make(true);
        Manifest.Part part =
                made.manifest().files().stream()
                        .filter(p -> p.name().endsWith("big.log"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(part.changed().contains("of its middle are left out"), part.changed());
        assertTrue(part.bytes() < LongText.HEAD + LongText.TAIL + (4 << 20), "" + part.bytes());
        String text =
                Bundles.files(out).entrySet().stream()
                        .filter(e -> e.getKey().endsWith("big.log"))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow();
        assertTrue(text.startsWith("step 00000000 of"), text.substring(0, 50));
        assertTrue(text.contains("\ntorch.OutOfMemoryError: CUDA out of memory"));
        assertTrue(text.contains("\n[gpuflow bundle: "));
        assertTrue(text.endsWith("the end on host-1\n"), text.substring(text.length() - 50));
    }

    @Test
    void nothingIsOverwrittenUnlessAskedFor() throws IOException {
        Files.writeString(out, "mine");
        assertThrows(FileAlreadyExistsException.class, () -> make(true));
        assertEquals("mine", Files.readString(out));
        BundleWriter.logs(List.of(logs), new BundleWriter.Target(out, true), Bundles.manner(true));
        assertTrue(BundleFile.is(out));
        try (Stream<Path> all = Files.list(dir)) {
            assertEquals(2, all.count(), "no temporary file is left");
        }
    }

    @Test
    void longNamesStayWhole() throws IOException {
        Path deep = logs;
        for (int i = 0; i < 6; i++) {
            deep = deep.resolve("a-folder-with-a-long-name-" + i);
        }
        Files.createDirectories(deep);
        Files.writeString(deep.resolve("é-rank3.log"), "x\n");
        make(false);
        assertEquals(
                "x\n",
                Bundles.files(out).get(dir.relativize(deep.resolve("é-rank3.log")).toString()));
    }

    @Test
    void theSameFilesGiveTheSameBundle() throws IOException {
        make(true);
        byte[] first = Files.readAllBytes(out);
        Files.delete(out);
        make(true);
        assertEquals(-1, java.util.Arrays.mismatch(first, Files.readAllBytes(out)));
    }
}
