package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guardian's script, in the shells that a machine may have for sh. */
@Timeout(60)
class GuardianTest {
    @TempDir Path dir;

    private final Mark mark = Mark.random();
    private final List<Process> marked = new ArrayList<>();

    private Process guardian(String shell) throws Exception {
        List<String> argv = new ArrayList<>(List.of(shell.split(" ")));
        argv.addAll(List.of("-c", Guardian.script(), "gpuflow-guardian"));
        ProcessBuilder builder = new ProcessBuilder(argv);
        if (shell.startsWith("busybox")) {
            builder.environment().put("PATH", busyboxOnly().toString());
        }
        builder.redirectErrorStream(true);
        assumeTrue(ProgramLookup.find(argv.get(0), "/usr/bin:/bin", null).program() != null);
        Process guardian = builder.start();
        tell(guardian, mark.text());
        tell(guardian, LimitMark.works() ? "" + mark.limit().prefix() : "-");
        return guardian;
    }

    /** A folder with busybox's commands and no others. */
    private Path busyboxOnly() throws Exception {
        Path bin = Files.createDirectory(dir.resolve("bin"));
        for (String name : List.of("grep", "sleep", "tr", "timeout", "true")) {
            Path script = bin.resolve(name);
            Files.writeString(script, "#!/bin/sh\nexec /usr/bin/busybox " + name + " \"$@\"\n");
            assertTrue(script.toFile().setExecutable(true));
        }
        return bin;
    }

    private static void tell(Process guardian, String line) throws Exception {
        guardian.getOutputStream().write((line + "\n").getBytes("US-ASCII"));
        guardian.getOutputStream().flush();
    }

    private Process sleeper(long call, boolean withMark) throws Exception {
        List<String> argv = new ArrayList<>(Session.prefix());
        argv.addAll(List.of("sleep", "300"));
        ProcessBuilder builder = new ProcessBuilder(argv);
        if (withMark) {
            mark.call(call).put(builder.environment());
        }
        Process process = builder.start();
        marked.add(process);
        return process;
    }

    private void assertAllKilled() throws Exception {
        for (Process process : marked) {
            assertTrue(process.waitFor(15, TimeUnit.SECONDS), "still alive");
            assertTrue(process.exitValue() > 128);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "bash --posix", "mksh", "busybox sh"})
    void killsWhatIsOursWhenGpuflowIsGone(String shell) throws Exception {
        Process guardian = guardian(shell);
        sleeper(1, true);
        sleeper(12, true);
        Process bare = sleeper(3, false);
        Process ended = sleeper(4, false);
        Process other = sleeper(5, false);
        tell(guardian, "start " + bare.pid());
        tell(guardian, "start " + ended.pid());
        tell(guardian, "end " + ended.pid());
        marked.removeAll(List.of(ended, other));
        try {
            guardian.getOutputStream().close();
            assertAllKilled();
            assertTrue(guardian.waitFor(15, TimeUnit.SECONDS));
            assertEquals("", new String(guardian.getInputStream().readAllBytes()));
            assertTrue(ended.isAlive() && other.isAlive(), "ended what is not ours");
        } finally {
            ended.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "bash --posix", "mksh", "busybox sh"})
    void killsWhatHasOnlyTheLimit(String shell) throws Exception {
        assumeTrue(LimitMark.works(), "prlimit can't be used here");
        Process guardian = guardian(shell);
        for (int call : List.of(1, 4711)) {
            List<String> argv = new ArrayList<>(Session.prefix());
            argv.addAll(mark.call(call).command());
            argv.addAll(List.of("sleep", "300"));
            marked.add(new ProcessBuilder(argv).start());
        }
        Process other =
                new ProcessBuilder("prlimit", "--locks=123456789012345678", "sleep", "300").start();
        try {
            Thread.sleep(200);
            guardian.getOutputStream().close();
            assertAllKilled();
            assertTrue(guardian.waitFor(15, TimeUnit.SECONDS));
            assertTrue(other.isAlive(), "ended what is not ours");
        } finally {
            other.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "bash --posix", "mksh", "busybox sh"})
    void goesWhenTold(String shell) throws Exception {
        Process guardian = guardian(shell);
        Process process = sleeper(1, true);
        try {
            tell(guardian, "bye");
            assertTrue(guardian.waitFor(15, TimeUnit.SECONDS));
            assertEquals(0, guardian.exitValue());
            assertTrue(process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT", "TERM"})
    void isDeafToWhatEndsATerminalSession(String signal) throws Exception {
        Process guardian = guardian("sh");
        Process process = sleeper(1, true);
        Thread.sleep(100);
        new ProcessBuilder("kill", "-" + signal, "" + guardian.pid()).start().waitFor();
        assertTrue(process.isAlive());
        guardian.getOutputStream().close();
        assertAllKilled();
    }
}
