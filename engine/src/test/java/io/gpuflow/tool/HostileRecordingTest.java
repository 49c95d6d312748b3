package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.tool.ToolResult.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording may come from anybody, and from a machine that broke while it was made. */
@Timeout(60)
class HostileRecordingTest {
    private static final String CANARY = "what lies outside";

    @TempDir Path dir;
    private Path rec;
    private Path call;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(dir.resolve("canary"), CANARY);
        rec = dir.resolve("rec");
        writeRecording();
    }

    private void writeRecording() throws IOException {
        call = Files.createDirectories(rec.resolve("commands/0001-tool--x"));
        put("recording.json", "{\"gpuflow\":1,\"machine\":\"m\",\"environment\":{\"A\":\"b\"}}");
        put(
                "files.json",
                "[{\"path\":\"/gone\",\"absent\":true},{\"path\":\"/no\",\"why\":\"w\"}]");
        put("globs.json", "{\"/sys/*\":[\"/sys/b\",\"/sys/a\"],\"/x/*\":{\"why\":\"w\"}}");
        put("files/proc/cpuinfo", "model\n");
        put("commands/0001-tool--x/call.json", "{\"argv\":[\"tool\",\"-x\"],\"env\":{}}");
        put("commands/0001-tool--x/stdout", "out\n");
        put("commands/0001-tool--x/files/a/b.json", "{}");
    }

    private void put(String name, String text) throws IOException {
        Path file = rec.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private ToolCall call() throws IOException {
        return new ToolCall(
                List.of("tool", "-x"),
                Map.of(),
                Files.createDirectories(dir.resolve("out")),
                Duration.ofSeconds(1));
    }

    private void refused(String problem) {
        BadRecording e = assertThrows(BadRecording.class, () -> RecordedTools.open(rec));
        assertTrue(e.problems().get(0).contains(problem), e.getMessage());
        assertTrue(e.problems().get(0).contains(dir + "/rec"), e.getMessage());
    }

    @Test
    void handWrittenOnesNeedLittle() throws Exception {
        RecordedTools tools = RecordedTools.open(rec);
        ToolResult result = tools.run(call());
        assertTrue(result.ok());
        assertEquals("out\n", result.stdout());
        assertEquals("", result.stderr());
        assertEquals("{}", Files.readString(dir.resolve("out/a/b.json")));
        assertEquals("model\n", tools.read("/proc/cpuinfo").text());
        assertEquals(List.of("/sys/a", "/sys/b"), tools.glob("/sys/*"));
        assertTrue(tools.read("/gone").absent());
        assertEquals("w", tools.read("/no").why());
        assertEquals(Map.of("A", "b"), tools.environment());
    }

    @Test
    void saysWhatIsWrongAndWhere() throws Exception {
        put("recording.json", "{\"gpuflow\":2}");
        refused("rec/recording.json: gpuflow is not 1");
        put("recording.json", "{\"gpuflow\":1,\n\"x\":}");
        refused("rec/recording.json: is not valid JSON: line 2");
        put("recording.json", "{\"gpuflow\":1,\"gpuflow\":1}");
        refused("is not valid JSON");
        put("recording.json", "");
        refused("is empty");
        put("recording.json", "[]");
        refused("is not a JSON object");
        put("recording.json", "{\"gpuflow\":1,\"environment\":{\"A\":1}}");
        refused("environment is not an object of texts");
        put("recording.json", "{\"gpuflow\":1,\"x\":" + "[".repeat(5000) + "}");
        refused("is not valid JSON");
        Files.delete(rec.resolve("recording.json"));
        refused("does not exist; is");
        rec = dir.resolve("rec-gone");
        refused("does not exist");
        rec = Files.writeString(dir.resolve("rec-file"), "");
        refused("does not exist");
    }

    @Test
    void damagedCommandsAreProblems() throws Exception {
        put("commands/0001-tool--x/call.json", "{\"argv\":\"tool\"}");
        refused("call.json: argv is not a list of texts");
        put("commands/0001-tool--x/call.json", "{\"argv\":[]}");
        refused("argv is missing or empty");
        put("commands/0001-tool--x/call.json", "{\"argv\":[\"a\"],\"outcome\":\"fine\"}");
        refused("outcome is fine, wanted exited");
        put("commands/0001-tool--x/call.json", "{\"argv\":[\"a\"],\"exit\":1e400}");
        refused("exit is not a number from -1 to 255");
        put("commands/0001-tool--x/call.json", "{\"argv\":[\"a\"]}");
        Files.delete(call.resolve("stdout"));
        refused("stdout beside it is missing");
        put("files.json", "[{}]");
        refused("files.json: an entry has no path");
        put("globs.json", "{\"/x\":[1]}");
        assertThrows(BadRecording.class, () -> RecordedTools.open(rec));
    }

    @Test
    void aCommandCutOffByACrashIsLeftOut() throws Exception {
        Files.delete(call.resolve("call.json"));
        RecordedTools tools = RecordedTools.open(rec);
        assertEquals(Outcome.NOT_RECORDED, tools.run(call()).outcome());
        assertTrue(tools.notes().get(0).contains("has no call.json"));
    }

    @Test
    void linksPipesAndGiantsAreNotRead() throws Exception {
        for (String name :
                List.of(
                        "recording.json",
                        "files.json",
                        "commands/0001-tool--x/call.json",
                        "commands/0001-tool--x/stdout",
                        "commands/0001-tool--x/files/a/b.json",
                        "files/proc/cpuinfo")) {
            Path file = rec.resolve(name);
            Files.delete(file);
            Files.createSymbolicLink(file, dir.resolve("canary"));
            refused("is a link");
            Files.delete(file);
            assertEquals(0, new ProcessBuilder("mkfifo", "" + file).start().waitFor());
            refused("is a device or a pipe");
            Files.delete(file);
            try (RandomAccessFile giant = new RandomAccessFile(file.toFile(), "rw")) {
                giant.setLength(1L << 42);
            }
            refused("is larger than");
            Files.delete(file);
            writeRecording();
            RecordedTools.open(rec);
        }
    }

    @Test
    void linkedFoldersDoNotLeadOutside() throws Exception {
        Path outside = Files.createDirectories(dir.resolve("outside/0001-x"));
        Files.writeString(outside.resolve("call.json"), "{\"argv\":[\"x\"]}");
        Files.writeString(outside.resolve("stdout"), CANARY);
        Path link = rec.resolve("commands/0002-x");
        Files.createSymbolicLink(link, outside);
        refused("lies outside the recording");
        Files.delete(link);
        Files.createSymbolicLink(rec.resolve("files/etc"), dir);
        refused("is a link");
    }

    @Test
    void whatChangesUnderneathIsNotRead() throws Exception {
        RecordedTools tools = RecordedTools.open(rec);
        Files.delete(call.resolve("stdout"));
        Files.createSymbolicLink(call.resolve("stdout"), dir.resolve("canary"));
        ToolResult result = tools.run(call());
        assertEquals(Outcome.NOT_RECORDED, result.outcome());
        assertTrue(result.why().contains("is a link"), result.why());
    }

    @Test
    void noDamageCrashesOrReadsOutside() throws Exception {
        Random random = new Random(20_26);
        int usable = 0;
        for (int round = 0; round < 150; round++) {
            clear();
            writeRecording();
            for (int damage = 1 + random.nextInt(2); damage > 0; damage--) {
                damage(random);
            }
            try {
                ask(RecordedTools.open(rec));
                usable++;
            } catch (BadRecording e) {
                assertFalse(e.problems().isEmpty());
                assertFalse(e.getMessage().contains(CANARY), e.getMessage());
            }
        }
        assertTrue(usable > 15 && usable < 135, "usable: " + usable);
    }

    private void ask(RecordedTools tools) throws IOException {
        ToolResult result = tools.run(call());
        assertFalse((result.stdout() + result.stderr() + result.why()).contains(CANARY));
        for (String path : List.of("/proc/cpuinfo", "/gone", "/proc", "/../canary", "\0", "")) {
            FileResult file = tools.read(path);
            assertFalse((file.text() + file.why()).contains(CANARY));
            assertEquals(file.text() == null, file.why() != null);
        }
        for (String pattern : List.of("/sys/*", "/x/*", "/y/*")) {
            try {
                tools.glob(pattern);
            } catch (Tools.NotKnown e) {
                assertFalse(e.getMessage().contains(CANARY));
            }
        }
    }

    private void damage(Random random) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(rec)) {
            all = files.filter(file -> !file.equals(rec)).sorted().toList();
        }
        Path file = all.get(random.nextInt(all.size()));
        if (Files.isDirectory(file)) {
            if (random.nextBoolean()) {
                delete(file);
                Files.createSymbolicLink(file, dir);
            }
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        switch (random.nextInt(5)) {
            case 0 -> Files.delete(file);
            case 1 -> Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
            case 2 -> {
                Files.delete(file);
                Files.createSymbolicLink(file, dir.resolve("canary"));
            }
            case 3 ->
                    Files.write(
                            file, "\u0000\uffff{[\"../../canary".getBytes(StandardCharsets.UTF_8));
            default -> {
                for (int i = 0; i < 3 && bytes.length > 0; i++) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                Files.write(file, bytes);
            }
        }
    }

    private void clear() throws IOException {
        delete(rec);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
