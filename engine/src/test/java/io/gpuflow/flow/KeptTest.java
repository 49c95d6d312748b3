package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptTest {
    @TempDir Path dir;

    @Test
    void copiesWhatWasWrittenSinceAndMatches() throws IOException {
        Path from = Files.createDirectories(dir.resolve("here"));
        Path to = Files.createDirectories(dir.resolve("run"));
        write(from.resolve("out.json"), 0);
        write(from.resolve("old.json"), -3_600_000);
        write(from.resolve("logs/a/b.log"), 0);
        write(from.resolve("logs/c.txt"), 0);
        write(from.resolve("gpuflow-runs/x/steps/y.json"), 0);
        List<String> notes =
                Kept.copy(
                        List.of("*.json", "logs/**", "none*", "out.json"),
                        from,
                        to,
                        System.currentTimeMillis(),
                        List.of());
        assertEquals(List.of("keep/logs/a/b.log", "keep/logs/c.txt", "keep/out.json"), files(to));
        assertEquals(2, notes.size(), notes.toString());
        assertTrue(notes.get(0).contains("no file that matches none*"), notes.toString());
    }

    @Test
    void copiesHoldNoSecret() throws IOException {
        Path from = Files.createDirectories(dir.resolve("here"));
        Path to = Files.createDirectories(dir.resolve("run"));
        Files.writeString(from.resolve("a.log"), "token is hunter22, says a.log");
        Files.write(from.resolve("b.bin"), "\0\1hunter22\2".getBytes(StandardCharsets.UTF_8));
        Kept.copy(List.of("*"), from, to, System.currentTimeMillis(), List.of("hunter22"));
        assertEquals("token is ***, says a.log", Files.readString(to.resolve("keep/a.log")));
        byte[] binary = Files.readAllBytes(to.resolve("keep/b.bin"));
        assertEquals("\0\1********\2", new String(binary, StandardCharsets.UTF_8));
    }

    @Test
    void aBadGlobIsSaid() {
        List<String> notes = Kept.copy(List.of("["), dir, dir.resolve("to"), 0, List.of());
        assertTrue(notes.get(0).contains("is not a glob"), notes.toString());
    }

    private static void write(Path file, long age) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + age));
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile)
                    .map(f -> folder.relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }
}
