package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.tool.ToolResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was recorded is replayed byte for byte, and nothing else. */
@Timeout(60)
class RecordingTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Instant MADE = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir Path dir;
    private LiveTools live;
    private RecordingTools recording;

    @BeforeEach
    void begin() throws IOException {
        live = new LiveTools(dir.resolve("run"));
        recording =
                RecordingTools.begin(live, dir.resolve("rec"), "a test", MADE, List.of("s3cr3t"));
    }

    @AfterEach
    void close() {
        live.close();
    }

    private RecordedTools replay() throws BadRecording {
        assertNull(recording.trouble());
        return RecordedTools.open(dir.resolve("rec"), List.of("s3cr3t"));
    }

    private static ToolCall sh(String script) {
        return ToolCall.of(LIMIT, "sh", "-c", script);
    }

    private static void assertSame(ToolResult recorded, ToolResult replayed) throws IOException {
        assertEquals(recorded.argv(), replayed.argv());
        assertEquals(recorded.outcome(), replayed.outcome());
        assertEquals(recorded.exit(), replayed.exit());
        assertEquals(recorded.stdout(), replayed.stdout());
        assertEquals(recorded.stderr(), replayed.stderr());
        assertEquals(recorded.why(), replayed.why());
        assertEquals(recorded.notes(), replayed.notes());
        assertEquals(recorded.strays(), replayed.strays());
        assertEquals(recorded.seconds(), replayed.seconds(), 0.0006);
        if (recorded.stdoutFile() != null) {
            assertArrayEquals(
                    Files.readAllBytes(recorded.stdoutFile()),
                    Files.readAllBytes(replayed.stdoutFile()));
            assertArrayEquals(
                    Files.readAllBytes(recorded.stderrFile()),
                    Files.readAllBytes(replayed.stderrFile()));
        }
    }

    @Test
    void everyOutcomeIsReplayedAsItWas() throws Exception {
        List<ToolCall> calls =
                List.of(
                        sh("printf 'out\\n\\377\\000end'; printf err >&2; exit 3"),
                        sh("kill -9 $$"),
                        sh("sleep 9 & disown 2>/dev/null; exit 0"),
                        ToolCall.of(LIMIT, "no-such-program", "-x"),
                        ToolCall.of(LIMIT, dir.toString()),
                        new ToolCall(List.of("true"), Map.of(), dir.resolve("gone"), LIMIT),
                        new ToolCall(List.of("sleep", "9"), Map.of(), null, Duration.ofMillis(99)));
        List<ToolResult> results = new ArrayList<>();
        calls.forEach(call -> results.add(recording.run(call)));
        RecordedTools replay = replay();
        for (int i = 0; i < calls.size(); i++) {
            assertSame(results.get(i), replay.run(calls.get(i)));
        }
    }

    @Test
    void itMakesNoDifferenceWhereTheOutputsAreKept() throws Exception {
        ToolCall call = sh("printf 'a\\377 s3cr3t'; printf s3cr3t >&2");
        ToolResult within = recording.run(call);
        ToolResult elsewhere = recording.withRecords(dir.resolve("step")).run(call);
        assertTrue(within.stdoutFile().startsWith(dir.resolve("rec")));
        assertTrue(elsewhere.stdoutFile().startsWith(dir.resolve("step")));
        RecordedTools replay = replay();
        for (int i = 0; i < 2; i++) {
            ToolResult result = replay.run(call);
            byte[] bytes = {'a', (byte) 255, ' ', '*', '*', '*'};
            assertArrayEquals(bytes, Files.readAllBytes(result.stdoutFile()));
            assertEquals("***", result.stderr());
        }
    }

    @Test
    void answersAreNumberedAsTheyWereGiven() throws Exception {
        Path tool = dir.resolve("tool");
        ToolCall call = ToolCall.of(LIMIT, tool.toString());
        recording.run(call);
        recording.withRecords(dir.resolve("step")).run(sh("true"));
        Files.writeString(tool, "#!/bin/sh\necho here\n");
        assertTrue(tool.toFile().setExecutable(true));
        recording.run(call);
        recording.withRecords(null).run(call);
        RecordedTools replay = replay();
        assertEquals(Outcome.MISSING, replay.run(call).outcome());
        assertEquals("here\n", replay.run(call).stdout());
        try (var folders = Files.list(dir.resolve("rec/commands"))) {
            List<String> names = folders.map(f -> f.getFileName().toString()).sorted().toList();
            assertEquals(List.of("0001-tool", "0002-sh--c-true", "0003-tool", "0004-tool"), names);
        }
    }

    @Test
    void linesAreToldAgain() throws Exception {
        ToolCall call = sh("printf 'a\\rb\\nc'; echo e >&2");
        recording.run(call);
        List<String> lines = new ArrayList<>();
        replay().run(call, (stderr, text) -> lines.add((stderr ? "2" : "1") + text));
        assertEquals(List.of("1a", "1b", "1c", "2e"), lines);
    }

    @Test
    void theSameQuestionGivesItsAnswersInTurnAndThenTheLast() throws Exception {
        ToolCall call = sh("cat " + dir + "/value");
        for (String value : List.of("1", "2", "3")) {
            Files.writeString(dir.resolve("value"), value);
            recording.run(call);
        }
        RecordedTools replay = replay();
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(replay.run(call).stdout());
        }
        assertEquals(List.of("1", "2", "3", "3", "3"), answers);
    }

    @Test
    void theProgramsFolderAndTheLocaleDoNotMatterButTheEnvironmentDoes() throws Exception {
        Map<String, String> p2p = new HashMap<>(Map.of("NCCL_P2P_DISABLE", "1"));
        p2p.put("NCCL_DEBUG", null);
        recording.run(new ToolCall(List.of("/bin/echo", "a"), p2p, null, LIMIT));
        RecordedTools replay = replay();
        assertTrue(replay.run(new ToolCall(List.of("echo", "a"), p2p, null, LIMIT)).ok());
        Map<String, String> more = new HashMap<>(p2p);
        more.put("LC_ALL", "C");
        assertTrue(replay.run(new ToolCall(List.of("echo", "a"), more, null, LIMIT)).ok());
        ToolResult other = replay.run(ToolCall.of(LIMIT, "echo", "a"));
        assertEquals(Outcome.NOT_RECORDED, other.outcome());
        assertTrue(other.why().contains("has no answer to: echo a; it has one to: "), other.why());
        assertTrue(other.why().contains("NCCL_P2P_DISABLE=1 echo a"), other.why());
    }

    @Test
    void anotherFolderIsTheSameFolderAndKeptFilesComeBack() throws Exception {
        Path first = Files.createDirectories(dir.resolve("work/1"));
        recording.run(inFolder(first));
        Path second = Files.createDirectories(dir.resolve("elsewhere/22"));
        ToolResult result = replay().run(inFolder(second));
        assertEquals(0, result.exit(), result.why());
        assertEquals("x\n", Files.readString(second.resolve("a.json")));
        assertEquals("y\n", Files.readString(second.resolve("traces/0")));
        assertFalse(Files.exists(second.resolve("big.bin")));
        assertEquals(first + "\n", result.stdout());
    }

    private static ToolCall inFolder(Path folder) {
        List<String> argv =
                List.of(
                        "sh",
                        "-c",
                        "echo $OUT; mkdir traces; echo x > a.json; echo y > traces/0; : > big.bin",
                        "--file=" + folder + "/a.json");
        Map<String, String> env = Map.of("OUT", folder.toString());
        return new ToolCall(argv, env, folder, LIMIT, List.of("*.json", "traces/*"));
    }

    @Test
    void filesGlobsAndWhatIsNotThere() throws Exception {
        Path sys = Files.createDirectories(dir.resolve("sys/b"));
        Files.writeString(sys.resolve("numa_node"), "-1\n");
        Files.createDirectories(dir.resolve("sys/a"));
        String known = sys + "/../b/numa_node";
        List<String> paths = List.of(known, sys + "/gone", sys.toString(), "/dev/zero");
        List<FileResult> live = paths.stream().map(recording::read).toList();
        List<String> listed = recording.glob(dir + "/sys/*");
        assertEquals(List.of(dir + "/sys/a", dir + "/sys/b"), listed);
        assertEquals(List.of(), recording.glob("/no/such/*"));
        assertThrows(Tools.NotKnown.class, () -> recording.glob("relative/*"));

        RecordedTools replay = replay();
        for (int i = 0; i < paths.size(); i++) {
            assertEquals(live.get(i), replay.read(paths.get(i)));
        }
        assertEquals("-1\n", replay.read(sys + "/numa_node").text());
        assertEquals(listed, replay.glob(dir + "/sys/*"));
        assertEquals(List.of(), replay.glob("/no/such/*"));
        assertThrows(Tools.NotKnown.class, () -> replay.glob("relative/*"));
        assertThrows(Tools.NotKnown.class, () -> replay.glob("/etc/*"));
        FileResult notAsked = replay.read("/etc/passwd");
        assertEquals("is not in the recording", notAsked.why());
        assertFalse(notAsked.absent());
        assertNull(replay.read("/../../../etc/passwd").text());
    }

    @Test
    void secretsAreNotInTheRecording() throws Exception {
        Map<String, String> env = Map.of("WANDB_API_KEY", "k-9", "X", "my s3cr3t");
        ToolCall call =
                new ToolCall(
                        List.of("sh", "-c", "echo s3cr3t", "--token", "t-7", "--hf-token=t-8"),
                        env,
                        null,
                        LIMIT);
        assertEquals("s3cr3t\n", recording.run(call).stdout());
        assertTrue(replay().run(call).ok());
        Path commands = dir.resolve("rec/commands");
        try (var files = Files.walk(commands)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                for (String secret : List.of("s3cr3t", "k-9", "t-7", "t-8")) {
                    // The live tools of this test know no secrets; the copy of their files is
                    // theirs.
                    assertFalse(file.endsWith("call.json") && text.contains(secret), file + text);
                }
            }
        }
    }

    @Test
    void aRecordingNeedsANewFolder() {
        IOException e =
                assertThrows(
                        IOException.class,
                        () -> RecordingTools.begin(live, dir.resolve("rec"), "", MADE, List.of()));
        assertTrue(e.getMessage().contains("is not empty"));
    }

    @Test
    void whereNoRecordingCanBeMadeTheReasonIsTold() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");
        for (Path folder : List.of(Path.of("/proc/rec"), file.resolve("rec"), file)) {
            IOException e =
                    assertThrows(
                            IOException.class,
                            () -> RecordingTools.begin(live, folder, "", MADE, List.of()));
            assertTrue(e.getMessage().matches(".+ .+; name a folder where you may write"), "" + e);
        }
    }

    @Test
    void theFirstLinesSayWhatItIs() throws Exception {
        String about = Files.readString(dir.resolve("rec/recording.json"));
        assertTrue(about.contains("\"made\" : \"2026-01-02T03:04:05Z\""), about);
        assertEquals("a test", replay().machine());
        assertEquals(System.getenv("PATH"), replay().environment().get("PATH"));
    }
}
