package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading and listing files, whatever lies there. */
@Timeout(30)
class FilesOfTheMachineTest {
    @TempDir Path dir;

    private static void unread(String path, String why) {
        FileResult result = FileReader.read(path);
        assertNull(result.text());
        assertEquals(why, result.why());
        assertEquals(why.equals("does not exist"), result.absent());
    }

    @Test
    void readsWhatHasNoSizeBeforehand() {
        FileResult result = FileReader.read("/proc/self/status");
        assertTrue(result.ok() && result.text().contains("Pid:"), result.why());
    }

    @Test
    void saysWhyAFileIsNotRead() throws Exception {
        unread(dir + "/gone", "does not exist");
        unread(dir.toString(), "is a folder");
        unread("/dev/zero", "is a device or a pipe");
        unread("a\0b", "is not a valid file name");
        Path pipe = dir.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", "" + pipe).start().waitFor());
        unread(pipe.toString(), "is a device or a pipe");
        Path large = dir.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((4 << 20) + 1);
        }
        unread(large.toString(), "is larger than 4 MiB");
        Path loop = dir.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertFalse(FileReader.read(loop.toString()).absent());
        unread(Files.writeString(dir.resolve("f"), "") + "/x", "does not exist");
    }

    @Test
    void aFileThatMayNotBeReadIsNotAbsent() throws Exception {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may read everything");
        Path file = Files.writeString(dir.resolve("private"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        unread(file.toString(), "permission denied");
    }

    @Test
    void aFileThatNeverAnswersIsNotWaitedFor() {
        assumeTrue(Files.isReadable(Path.of("/proc/kmsg")), "needs a file that blocks its reader");
        FileResult result = FileReader.read("/proc/kmsg", Duration.ofMillis(200));
        assertEquals("did not answer within 0.2 s", result.why());
    }

    @Test
    void listsSortedAndWithinNames() throws Exception {
        for (String name : List.of("b1/x", "a2/x", "a10/y", ".hidden/x")) {
            Path file = dir.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
        }
        assertEquals(List.of(dir + "/a2/x", dir + "/b1/x"), Glob.list(dir + "/*/x"));
        assertEquals(List.of(dir + "/a2"), Glob.list(dir + "/a[1-9]"));
        assertEquals(List.of(dir + "/a10/y"), Glob.list(dir + "//a??/*"));
        assertEquals(List.of(dir + "/.hidden/x"), Glob.list(dir + "/.h*/x"));
        assertEquals(List.of(), Glob.list(dir + "/none/*"));
        assertEquals(List.of(), Glob.list(dir + "/a2/x/*"));
        assertEquals(List.of(), Glob.list(dir + "/a2/x/y"));
        assertEquals(List.of(dir + "/b1"), Glob.list(dir + "/b1"));
    }

    @Test
    void aGlobThatCannotBeToldIsNotEmpty() {
        assertThrows(Tools.NotKnown.class, () -> Glob.list("x/*"));
        assertThrows(Tools.NotKnown.class, () -> Glob.list("/a\0/*"));
    }

    @Test
    void matchesAsTheFileSystemDoes() {
        Random random = new Random(11);
        String alphabet = "ab*?[]-!.";
        int matched = 0;
        for (int round = 0; round < 20_000; round++) {
            String pattern = word(random, "ab*?", 6);
            String name = word(random, "ab", 6);
            boolean expected =
                    FileSystems.getDefault()
                            .getPathMatcher("glob:" + pattern)
                            .matches(Path.of(name));
            assertEquals(expected, new Wildcard(pattern).matches(name), pattern + " " + name);
            matched += expected ? 1 : 0;
            // Any other pattern must at least come to an end.
            new Wildcard(word(random, alphabet, 9)).matches(word(random, alphabet, 9));
        }
        assertTrue(matched > 1000);
        assertFalse(new Wildcard("*a".repeat(60)).matches("a".repeat(50) + "b"));
    }

    private static String word(Random random, String alphabet, int longest) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(longest) + 1; i > 0; i--) {
            word.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return word.toString();
    }
}
