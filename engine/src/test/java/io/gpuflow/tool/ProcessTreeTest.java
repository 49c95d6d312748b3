package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuflow.tool.ToolResult.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that we started outlives us, however it ends and however we end. */
@Timeout(60)
class ProcessTreeTest {
    private static final LiveTools.Limits QUICK =
            new LiveTools.Limits(1 << 20, 1 << 20, Duration.ofMillis(300), Duration.ofSeconds(5));

    @TempDir Path dir;
    private NastyTree tree;

    @BeforeEach
    void needsSetsid() throws IOException {
        assumeTrue(Session.own(), "no setsid program here");
        tree = new NastyTree(Files.createDirectory(dir.resolve("pids")));
    }

    @AfterEach
    void leaveNothing() throws IOException {
        tree.end();
    }

    private static LiveTools quick() {
        return new LiveTools(null, QUICK, List.of());
    }

    private ToolCall call(Duration limit, String last) {
        return ToolCall.of(limit, "sh", "-c", tree.script(last));
    }

    @Test
    void allAreGoneAfterTheLimit() throws Exception {
        List<ProcessHandle> seen = new ArrayList<>();
        OutputLines lines =
                new OutputLines() {
                    @Override
                    public void line(boolean stderr, String text) {}

                    @Override
                    public void beforeEnd(List<ProcessHandle> processes) {
                        seen.addAll(processes);
                    }
                };
        try (LiveTools tools = quick()) {
            ToolResult result = tools.run(call(Duration.ofSeconds(2), "wait"), lines);
            assertEquals(Outcome.TIMED_OUT, result.outcome());
            assertTrue(tree.complete());
            tree.assertGone(0);
            assertTrue(seen.size() >= 7, "shown before they were ended: " + seen);
        }
    }

    @Test
    void allAreGoneWhenTheCommandExits() throws Exception {
        try (LiveTools tools = quick()) {
            ToolResult result = tools.run(call(Duration.ofSeconds(20), "exit 3"));
            assertEquals(Outcome.EXITED, result.outcome());
            assertEquals(3, result.exit());
            tree.assertGone(0);
            assertTrue(result.strays().size() >= 6, "strays: " + result.strays());
            assertTrue(result.strays().stream().anyMatch(stray -> stray.contains("sleep 300")));
        }
    }

    @Test
    void helpersThatEndByThemselvesAreNoStrays() {
        try (LiveTools tools = quick()) {
            ToolResult result =
                    tools.run(ToolCall.of(Duration.ofSeconds(9), "sh", "-c", "sleep 0.2 & exit 0"));
            assertEquals(List.of(), result.strays());
        }
    }

    @Test
    void allAreGoneAfterAnInterrupt() throws Exception {
        try (LiveTools tools = quick()) {
            OutputLines interruptWhenReady = (stderr, text) -> tools.interrupt();
            ToolResult result = tools.run(call(Duration.ofSeconds(30), "wait"), interruptWhenReady);
            assertEquals(Outcome.INTERRUPTED, result.outcome());
            tree.assertGone(0);
        }
    }

    @Test
    void anInterruptedThreadEndsItsOwnCommandOnly() throws Exception {
        try (LiveTools tools = quick()) {
            Thread caller = Thread.currentThread();
            OutputLines interruptCaller = (stderr, text) -> caller.interrupt();
            ToolResult result = tools.run(call(Duration.ofSeconds(30), "wait"), interruptCaller);
            assertTrue(Thread.interrupted(), "the flag stays for the caller");
            assertEquals(Outcome.INTERRUPTED, result.outcome());
            tree.assertGone(0);
            assertTrue(tools.run(ToolCall.of(Duration.ofSeconds(9), "true")).ok());
        }
    }

    @Test
    void theListenerCanGiveUp() throws Exception {
        OutputLines lines =
                new OutputLines() {
                    @Override
                    public void line(boolean stderr, String text) {}

                    @Override
                    public String giveUp() {
                        return tree.complete() ? "no output for 5 min" : null;
                    }
                };
        try (LiveTools tools = quick()) {
            ToolResult result = tools.run(call(Duration.ofSeconds(30), "wait"), lines);
            assertEquals(Outcome.TIMED_OUT, result.outcome());
            assertEquals("no output for 5 min", result.why());
            tree.assertGone(0);
        }
    }

    @Test
    void savingEvidenceIsBoundedInTime() {
        LiveTools.Limits hasty =
                new LiveTools.Limits(99, 99, Duration.ofMillis(100), Duration.ofMillis(200));
        OutputLines slow =
                new OutputLines() {
                    @Override
                    public void line(boolean stderr, String text) {}

                    @Override
                    public void beforeEnd(List<ProcessHandle> processes) {
                        try {
                            Thread.sleep(60_000);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                };
        try (LiveTools tools = new LiveTools(null, hasty, List.of())) {
            ToolResult result = tools.run(ToolCall.of(Duration.ofMillis(100), "sleep", "60"), slow);
            assertTrue(result.seconds() < 10);
            assertEquals(List.of("saving evidence took longer than 0.2 s"), result.notes());
        }
    }

    /** A gpuflow of its own, which runs the tree until somebody ends it. */
    public static final class Victim {
        public static void main(String[] args) {
            try (LiveTools tools = quick()) {
                tools.run(
                        ToolCall.of(Duration.ofMinutes(5), "sh", "-c", args[0]),
                        (stderr, text) -> System.out.println(text));
            }
        }
    }

    private Process victim() throws Exception {
        Process victim =
                new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/java",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Victim.class.getName(),
                                tree.script("wait"))
                        .redirectErrorStream(true)
                        .start();
        assertEquals("ready", victim.inputReader().readLine());
        return victim;
    }

    @Test
    void allAreGoneWhenGpuflowIsKilledWithSignal9() throws Exception {
        Process victim = victim();
        List<ProcessHandle> guardians = guardiansOf(victim);
        assertEquals(1, guardians.size());
        victim.destroyForcibly();
        tree.assertGone(10_000);
        guardians.get(0).onExit().get(10, TimeUnit.SECONDS);
    }

    @Test
    void allAreGoneWhenGpuflowIsTerminated() throws Exception {
        Process victim = victim();
        List<ProcessHandle> guardians = guardiansOf(victim);
        victim.destroy();
        assertTrue(victim.waitFor(20, TimeUnit.SECONDS));
        assertEquals(143, victim.exitValue());
        tree.assertGone(0);
        guardians.get(0).onExit().get(5, TimeUnit.SECONDS);
    }

    @Test
    void ctrlCReachesGpuflowAloneAndEndsAll() throws Exception {
        Process victim = victim();
        Process kill = new ProcessBuilder("kill", "-INT", "" + victim.pid()).start();
        assertEquals(0, kill.waitFor());
        assertTrue(victim.waitFor(20, TimeUnit.SECONDS));
        assertEquals(130, victim.exitValue());
        tree.assertGone(0);
    }

    @Test
    void theOuterOfTwoGpuflowsEndsWhatTheInnerStarted() throws Exception {
        try (LiveTools tools = quick()) {
            List<String> argv =
                    List.of(
                            System.getProperty("java.home") + "/bin/java",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Victim.class.getName(),
                            tree.script("wait"));
            OutputLines lines =
                    new OutputLines() {
                        @Override
                        public void line(boolean stderr, String text) {}

                        @Override
                        public String giveUp() {
                            return tree.complete() ? "enough" : null;
                        }
                    };
            tools.run(new ToolCall(argv, Map.of(), null, Duration.ofSeconds(40)), lines);
            tree.assertGone(0);
        }
    }

    @Test
    void aGuardianThatWasKilledIsReplaced() throws Exception {
        try (LiveTools tools = quick()) {
            ToolCall call = ToolCall.of(Duration.ofSeconds(9), "true");
            assertTrue(tools.run(call).ok());
            ProcessHandle first = guardiansOf(ProcessHandle.current()).get(0);
            first.destroyForcibly();
            first.onExit().get(5, TimeUnit.SECONDS);
            assertTrue(tools.run(call).ok());
            assertNotNull(guardiansOf(ProcessHandle.current()).get(0));
        }
    }

    private static List<ProcessHandle> guardiansOf(Process process) {
        return guardiansOf(process.toHandle());
    }

    private static List<ProcessHandle> guardiansOf(ProcessHandle process) {
        return process.children()
                .filter(child -> commandLine(child).contains("gpuflow-guardian"))
                .toList();
    }

    private static String commandLine(ProcessHandle handle) {
        try {
            return Files.readString(new File("/proc/" + handle.pid() + "/cmdline").toPath());
        } catch (IOException e) {
            return "";
        }
    }
}
