package io.gpuflow.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.scan.Unread;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle may come from anybody: what is wrong with it is said, and nothing else happens. */
class HostileBundleTest {
    @TempDir Path dir;
    private final Map<String, String> files = new LinkedHashMap<>();
    private Path bundle;

    @BeforeEach
    void aGoodOne() throws IOException {
        bundle = dir.resolve("b");
        Path run = Files.createDirectories(dir.resolve("run/steps/a"));
        Files.writeString(dir.resolve("run/journal.jsonl"), "{\"event\":\"run-ended\"}\n");
        Files.writeString(run.resolve("1.facts.jsonl"), "{\"fact\":\"Known\",\"is\":{}}\n");
        Files.writeString(run.resolve("out.log"), "hello\n");
        BundleWriter.run(
                dir.resolve("run"), new BundleWriter.Target(bundle, false), Bundles.manner(true));
        Bundles.files(bundle).forEach((name, text) -> files.put("run/" + name, text));
    }

    private List<Unread> problems() throws IOException {
        BundleFile open = BundleFile.open(Bundles.archive(bundle, files));
        assertNotNull(open);
        return open.problems();
    }

    private void only(String file, String why) throws IOException {
        List<Unread> problems = problems();
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.get(0).file().endsWith(file), problems.toString());
        assertTrue(problems.get(0).why().contains(why), problems.toString());
        assertTrue(problems.get(0).evidence(), "it is never taken for healthy");
    }

    @Test
    void aGoodOneHasNoProblem() throws IOException {
        assertEquals(List.of(), problems());
        assertTrue(BundleFile.open(bundle).isRun());
    }

    @Test
    void aChangedFileHasAWrongChecksum() throws IOException {
        files.put("run/steps/a/out.log", "jello\n");
        only("b!run/steps/a/out.log", "its checksum is wrong");
    }

    @Test
    void aFileThatIsListedAndNotThere() throws IOException {
        files.remove("run/steps/a/out.log");
        only("out.log", "is in the bundle's list and not in the bundle");
    }

    @Test
    void aFileThatIsThereAndNotListed() throws IOException {
        files.put("run/more.log", "x");
        only("more.log", "is not in the bundle's list");
    }

    @Test
    void aListThatIsNone() throws IOException {
        for (String list :
                List.of("", "{", "[]", "null", "{\"gpuflow-bundle\":99}", "[".repeat(100_000))) {
            files.put("run/bundle.json", list);
            List<Unread> problems = problems();
            assertTrue(problems.get(0).file().endsWith("bundle.json"), problems.toString());
        }
        files.put(
                "run/bundle.json",
                "{\"gpuflow-bundle\":1,\"files\":{\"a\":[1]},\"left_out\":7,\"kind\":{}}");
        assertFalse(problems().isEmpty());
    }

    @Test
    void whatWasLeftOutIsSaid() throws IOException {
        Files.write(dir.resolve("core"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6});
        Files.writeString(dir.resolve("nccl_trace_rank_0"), "{\"pg_config\":{}, \"entries\":[");
        Files.writeString(dir.resolve("a.log"), "x\n");
        BundleWriter.logs(
                List.of(
                        dir.resolve("core"),
                        dir.resolve("a.log"),
                        dir.resolve("nccl_trace_rank_0")),
                new BundleWriter.Target(bundle, true),
                Bundles.manner(true));
        List<Unread> problems = BundleFile.open(bundle).problems();
        assertEquals(2, problems.size(), problems.toString());
        assertTrue(problems.get(0).file().endsWith("core"), problems.toString());
        assertFalse(problems.get(0).evidence(), "a binary file tells nothing of a job");
        assertTrue(problems.get(1).evidence(), "a dump would have");
    }

    @Test
    void namesThatLeadOutAreNamesAndNoMore() throws IOException {
        files.put("run/../../../tmp/evil", "x");
        files.put("/etc/evil", "x");
        files.put("run/steps/../../x.facts.jsonl", "x");
        Map<String, Path> before = below();
        assertEquals(3, problems().size());
        assertEquals(before.keySet(), below().keySet());
        assertFalse(Files.exists(Path.of("/etc/evil")));
    }

    private Map<String, Path> below() throws IOException {
        Map<String, Path> all = new LinkedHashMap<>();
        try (Stream<Path> walk = Files.walk(dir)) {
            walk.sorted().forEach(p -> all.put(p.toString(), p));
        }
        return all;
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        byte[] tar = unpacked(Bundles.archive(bundle, files));
        byte[] header = Arrays.copyOf(tar, 512);
        Arrays.fill(header, 0, 100, (byte) 0);
        byte[] name = "run/journal.link".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, header, 0, name.length);
        Arrays.fill(header, 124, 136, (byte) '0');
        header[135] = 0;
        header[156] = '2';
        byte[] target = "/etc/passwd".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(target, 0, header, 157, target.length);
        byte[] linked = Arrays.copyOf(tar, tar.length);
        System.arraycopy(header, 0, linked, tar.length - 1024, 512);
        Files.write(bundle, linked);
        List<Unread> problems = BundleFile.open(bundle).problems();
        assertEquals("a link", problems.get(0).why(), problems.toString());
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = new java.util.zip.GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    @Test
    void oneThatUnfoldsWithoutEndIsLeft() throws IOException {
        long size = 3L << 30;
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bundle), 1 << 16);
                TarWriter tar = new TarWriter(out, Bundles.MADE)) {
            tar.file("run/bundle.json", 2, new java.io.ByteArrayInputStream("{}".getBytes()));
            tar.file("run/journal.jsonl", size, zeros(size));
        }
        assertTrue(Files.size(bundle) < 8 << 20);
        List<Unread> problems = BundleFile.open(bundle).problems();
        assertTrue(problems.toString().contains("larger than 256 MiB"), problems.toString());
    }

    private static InputStream zeros(long count) {
        return new InputStream() {
            private long left = count;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] b, int off, int len) {
                int n = (int) Math.min(len, left);
                Arrays.fill(b, off, off + n, (byte) 0);
                left -= n;
                return n == 0 ? -1 : n;
            }
        };
    }

    @Test
    void damagedOnesAreToldOrNone() throws IOException {
        byte[] whole = Files.readAllBytes(Bundles.archive(bundle, files));
        byte[] tar = unpacked(bundle);
        Random random = new Random(20261130);
        for (int round = 0; round < 300; round++) {
            byte[] from = random.nextBoolean() ? whole : tar;
            byte[] damaged = Arrays.copyOf(from, from.length);
            if (random.nextInt(3) == 0) {
                damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
            } else {
                for (int i = random.nextInt(8); i >= 0; i--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
            }
            Files.write(bundle, damaged);
            BundleFile open = BundleFile.open(bundle);
            if (open != null) {
                open.problems().forEach(p -> assertNotNull(p.why()));
            }
        }
    }

    @Test
    void otherFilesAreNone() throws IOException {
        assertNull(BundleFile.open(dir));
        assertNull(BundleFile.open(dir.resolve("nothing")));
        Files.writeString(bundle, "a log\n");
        assertNull(BundleFile.open(bundle));
        Bundles.archive(bundle, Map.of("job/out.log", "x"));
        assertNull(BundleFile.open(bundle));
        Bundles.archive(bundle, Map.of("bundle.json", "{}"));
        assertNull(BundleFile.open(bundle));
    }
}
