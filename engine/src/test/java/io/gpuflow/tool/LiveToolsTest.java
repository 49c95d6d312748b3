package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.tool.ToolResult.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that start, print and end as commands do. */
class LiveToolsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir Path dir;
    private LiveTools tools;

    @BeforeEach
    void open() {
        tools = new LiveTools(dir.resolve("records"));
    }

    @AfterEach
    void close() {
        tools.close();
    }

    private ToolResult sh(String script) {
        return tools.run(ToolCall.of(LIMIT, "sh", "-c", script));
    }

    @Test
    void keepsOutputsExitStatusAndTime() throws Exception {
        ToolResult result = sh("printf 'a\\nb'; echo c >&2; exit 7");
        assertEquals(Outcome.EXITED, result.outcome());
        assertEquals(7, result.exit());
        assertEquals("a\nb", result.stdout());
        assertEquals("c\n", result.stderr());
        assertEquals("a\nb", Files.readString(result.stdoutFile()));
        assertEquals("c\n", Files.readString(result.stderrFile()));
        assertNull(result.why());
        assertEquals(List.of(), result.notes());
        assertTrue(Files.exists(result.stdoutFile().resolveSibling("call.json")));
        assertTrue(result.seconds() > 0 && result.seconds() < 10);
    }

    @Test
    void tellsASignalByItsExitStatus() {
        ToolResult result = sh("kill -9 $$");
        assertEquals(Outcome.EXITED, result.outcome());
        assertEquals(137, result.exit());
    }

    @Test
    void passesOddArgumentsAsTheyAre() {
        List<String> odd =
                List.of("", " ", "a b", "'", "\"", "$HOME", "`id`", "*", "\\n", "-n", "a\nb", "%s");
        List<String> argv = new ArrayList<>(List.of("printf", "[%s]"));
        argv.addAll(odd);
        ToolResult result = tools.run(new ToolCall(argv, Map.of(), null, LIMIT));
        assertEquals("[" + String.join("][", odd) + "]", result.stdout());
    }

    @Test
    void setsAndRemovesVariables() {
        Map<String, String> env = new HashMap<>();
        env.put("GF_A", "one two");
        env.put("HOME", null);
        ToolResult result =
                tools.run(
                        new ToolCall(
                                List.of("sh", "-c", "echo $GF_A,${HOME-unset}"), env, null, LIMIT));
        assertEquals("one two,unset\n", result.stdout());
    }

    @Test
    void runsInTheFolderAndReadsNothing() {
        ToolCall call = new ToolCall(List.of("sh", "-c", "pwd; cat"), Map.of(), dir, LIMIT);
        assertEquals(dir + "\n", tools.run(call).stdout());
    }

    @Test
    void tellsEachLineOnce() {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        tools.run(
                ToolCall.of(LIMIT, "sh", "-c", "printf 'a\\r\\nb\\rc\\n\\nend'; echo e >&2"),
                (stderr, text) -> lines.add((stderr ? "2" : "1") + text));
        assertTrue(lines.remove("2e"));
        assertEquals(List.of("1a", "1b", "1c", "1", "1end"), lines);
    }

    @Test
    void endsACommandThatTakesTooLong() {
        ToolResult result =
                tools.run(ToolCall.of(Duration.ofMillis(300), "sh", "-c", "echo on; sleep 60"));
        assertEquals(Outcome.TIMED_OUT, result.outcome());
        assertEquals(-1, result.exit());
        assertEquals("on\n", result.stdout());
        assertEquals("did not finish within 0.3 s and was ended", result.why());
        assertTrue(result.seconds() < 10);
    }

    @Test
    void saysWhyAProgramCannotBeRun() throws Exception {
        Path plain = Files.writeString(dir.resolve("plain"), "text");
        Path script = Files.writeString(dir.resolve("script"), "#!/no/such/interpreter\n");
        assertTrue(script.toFile().setExecutable(true));
        refused("no-such-program", Outcome.MISSING, "not installed, or not on PATH");
        refused(dir + "/gone", Outcome.MISSING, "does not exist");
        refused(plain.toString(), Outcome.MISSING, "chmod +x");
        refused(dir.toString(), Outcome.MISSING, "is a folder");
        refused(script.toString(), Outcome.BROKEN, "/no/such/interpreter, which does not exist");
        refused("a\0b", Outcome.MISSING, "not a valid file name");
        refused("", Outcome.MISSING, "no program");
    }

    private void refused(String program, Outcome outcome, String why) {
        ToolResult result = tools.run(ToolCall.of(LIMIT, program));
        assertEquals(outcome, result.outcome(), result.why());
        assertTrue(result.why().contains(why), result.why());
    }

    @Test
    void saysThatItsFolderIsMissing() {
        ToolCall call = new ToolCall(List.of("true"), Map.of(), dir.resolve("gone"), LIMIT);
        ToolResult result = tools.run(call);
        assertEquals(Outcome.BROKEN, result.outcome());
        assertTrue(result.why().contains("gone does not exist"), result.why());
    }

    @Test
    void doesNotRunAfterAnInterrupt() {
        tools.interrupt();
        assertEquals(Outcome.INTERRUPTED, sh("touch " + dir + "/ran").outcome());
        assertFalse(Files.exists(dir.resolve("ran")));
    }

    @Test
    void refusesVariablesThatCannotBe() {
        ToolCall call = new ToolCall(List.of("true"), Map.of("A=B", "c"), null, LIMIT);
        ToolResult result = tools.run(call);
        assertEquals(Outcome.BROKEN, result.outcome());
        assertTrue(result.why().contains("true could not be started"), result.why());
    }

    @Test
    void saysThatArgumentsAreTooLong() {
        ToolCall call = ToolCall.of(LIMIT, "echo", "x".repeat(1 << 20));
        ToolResult result = tools.run(call);
        assertEquals(Outcome.BROKEN, result.outcome(), result.stderr());
        assertTrue(result.why().contains("too long"), result.why());
    }

    @Test
    void hasNoLimitThatOverflows() {
        ToolCall call = ToolCall.of(Duration.ofSeconds(Long.MAX_VALUE), "true");
        assertTrue(tools.run(call).ok());
    }
}
