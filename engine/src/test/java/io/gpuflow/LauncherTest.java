package io.gpuflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a clone, with stand-ins for Java and Maven. */
class LauncherTest {
    private static final String USUAL_JAVA =
            """
            case $1 in -version) echo 'openjdk version "17.0.9" 2023-10-17' >&2 ;; *) echo ran ;; esac
            """;

    @TempDir Path dir;
    private Path clone;
    private String said;

    @BeforeEach
    void makeClone() throws IOException {
        clone = Files.createDirectories(dir.resolve("a clone"));
        Path script = Path.of(System.getProperty("gpuflow.home", "."), "gpuflow");
        program(clone.resolve("gpuflow"), Files.readString(script));
        Files.createFile(clone.resolve("pom.xml"));
        Files.createDirectories(clone.resolve("engine/src/main"));
        Files.createDirectories(clone.resolve("rules"));
        Files.createDirectories(dir.resolve("bin"));
        program(dir.resolve("bin/java"), "#!/bin/sh\n" + USUAL_JAVA);
    }

    @Test
    void theFirstUseBuildsAndSaysSoInOneLine() throws Exception {
        maven("printf '\\033[0mDownloading …\\n'");
        assertEquals(0, run());
        List<String> lines = said.lines().toList();
        assertEquals(2, lines.size(), said);
        assertTrue(lines.get(0).startsWith("gpuflow: building this clone"), said);
        assertEquals("ran", lines.get(1));
        assertEquals(0, run());
        assertEquals("ran\n", said);
    }

    @Test
    void aFailedBuildSaysWhatMavenFoundAndNoMore() throws Exception {
        maven(
                "echo '[ERROR] Main.java:[3,1] class expected';"
                        + " echo '[ERROR] Failed to execute goal: broken -> [Help 1]';"
                        + " echo '[ERROR] ';"
                        + " echo '[ERROR] To see the full stack trace of the errors, re-run Maven';"
                        + " echo '[ERROR] [Help 1] http://nowhere'; exit 1");
        assertEquals(4, run());
        assertTrue(said.contains("Main.java:[3,1] class expected\n"), said);
        assertTrue(said.contains("Failed to execute goal: broken\n"), said);
        assertFalse(said.contains("Help") || said.contains("re-run"), said);
        assertTrue(said.contains("target/build.log"), said);
    }

    @Test
    void aLibraryThatCannotBeFetchedIsNamedWithWhatToDo() throws Exception {
        maven("echo '[ERROR] Could not transfer artifact a:b from central'; exit 1");
        assertEquals(4, run());
        assertTrue(said.contains("mirror or proxy in ~/.m2/settings.xml"), said);
    }

    @Test
    void anOldJavaIsToldBeforeTheBuild() throws Exception {
        maven("echo never");
        for (String version : List.of("1.8.0_392", "11.0.21", "16")) {
            program(
                    dir.resolve("bin/java"),
                    "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n");
            assertEquals(4, run());
            assertTrue(said.contains("older than Java 17"), said);
        }
    }

    @Test
    void aMistakeInARuleIsToldAndStopsNothing() throws Exception {
        maven("echo 'rules/bench/x/rule.drl:7:3: rule x: there is no fact Bensch' >&2");
        assertEquals(0, run());
        assertTrue(said.contains("\nrules/bench/x/rule.drl:7:3: rule x: there is no fact"), said);
        assertTrue(said.endsWith("ran\n"), said);
        assertEquals(0, run());
        assertEquals("ran\n", said);
    }

    @Test
    void ofManyStartsOneBuilds() throws Exception {
        maven("echo built >>builds; sleep 0.5");
        List<Process> starts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starts.add(start(dir.resolve("out" + i).toFile()));
        }
        for (Process start : starts) {
            assertTrue(start.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, start.exitValue());
        }
        assertEquals(List.of("built"), Files.readAllLines(clone.resolve("builds")));
        assertFalse(Files.exists(clone.resolve("target/.building")));
    }

    @Test
    void theLockOfAStartThatWasKilledIsTakenAway() throws Exception {
        maven("echo");
        Path lock = Files.createDirectories(clone.resolve("target/.building"));
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Process host = new ProcessBuilder("uname", "-n").start();
        String name = new String(host.getInputStream().readAllBytes()).strip();
        Files.writeString(lock.resolve("owner"), name + " " + ended.pid() + "\n");
        assertEquals(0, run());
        assertTrue(said.endsWith("ran\n"), said);
    }

    private void maven(String does) throws IOException {
        program(dir.resolve("bin/mvn"), "#!/bin/sh\n" + does + "\n");
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int run() throws IOException, InterruptedException {
        File out = dir.resolve("out").toFile();
        Process process = start(out);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        said = Files.readString(out.toPath());
        return process.exitValue();
    }

    private Process start(File out) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(clone.resolve("gpuflow").toString(), "lint", "x.yaml");
        builder.environment().put("PATH", dir.resolve("bin") + ":/usr/bin:/bin");
        builder.environment().remove("JAVA_HOME");
        builder.redirectErrorStream(true);
        builder.redirectOutput(out);
        return builder.start();
    }
}
