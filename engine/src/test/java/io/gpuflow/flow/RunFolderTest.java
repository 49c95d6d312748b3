package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    private static final Instant NOW = Instant.parse("2026-11-29T15:32:51Z");

    @TempDir Path dir;

    @Test
    void isNamedByTimeAndWorkflow() throws IOException {
        try (RunFolder one = RunFolder.create(dir.resolve("runs"), "setup", NOW);
                RunFolder two = RunFolder.create(dir.resolve("runs"), "setup", NOW)) {
            assertEquals(dir.resolve("runs/2026-11-29T153251Z-setup"), one.path());
            assertEquals(dir.resolve("runs/2026-11-29T153251Z-setup-2"), two.path());
        }
    }

    @Test
    void isHeldByOneAtATime() throws IOException {
        try (RunFolder held = RunFolder.createAt(dir.resolve("r"))) {
            IOException refused =
                    assertThrows(RunFolder.InUse.class, () -> RunFolder.open(held.path()));
            assertTrue(refused.getMessage().contains("is in use"), refused.getMessage());
        }
        RunFolder.open(dir.resolve("r")).close();
    }

    @Test
    void isNotWrittenOver() throws IOException {
        Path path = dir.resolve("r");
        RunFolder.createAt(path).close();
        Files.writeString(path.resolve("journal.jsonl"), "");
        assertThrows(FileAlreadyExistsException.class, () -> RunFolder.createAt(path));
    }

    @Test
    void attemptNamesAreSafeFileNames() {
        assertEquals("steps/smoke/2-p2p-off", name("smoke", 2, Map.of(), "p2p-off"));
        assertEquals("steps/b/1-all_reduce", name("b", 1, Map.of("op", "all_reduce"), null));
        assertEquals("steps/b/1-etc-passwd", name("b", 1, Map.of("op", "../etc/passwd"), null));
        assertEquals("steps/b/1-x", name("b", 1, Map.of("op", ".."), null));
        assertEquals(
                "steps/b/1-" + "y".repeat(60), name("b", 1, Map.of("op", "y".repeat(300)), null));
    }

    private static String name(String step, int n, Map<String, Object> matrix, String experiment) {
        return RunFolder.attemptName(step, n, matrix, experiment);
    }
}
