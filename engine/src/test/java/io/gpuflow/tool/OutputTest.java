package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuflow.tool.ToolResult.Outcome;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output of any size, kind and speed is kept as far as it can be, and what is not kept is said. */
@Timeout(60)
class OutputTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration GRACE = Duration.ofMillis(300);

    @TempDir Path dir;

    private ToolResult sh(int memory, long disk, List<String> secrets, String script) {
        LiveTools.Limits limits = new LiveTools.Limits(memory, disk, GRACE, GRACE);
        try (LiveTools tools = new LiveTools(dir, limits, secrets)) {
            return tools.run(ToolCall.of(LIMIT, "sh", "-c", script));
        }
    }

    @Test
    void aFloodFillsNeitherDiskNorMemory() throws Exception {
        ToolResult result =
                sh(
                        10_000,
                        100_000,
                        List.of(),
                        "echo first; head -c 300000000 /dev/zero; echo; echo last");
        assertTrue(result.ok());
        assertTrue(result.stdout().startsWith("first\n"));
        assertTrue(result.stdout().endsWith("\nlast\n"));
        assertTrue(result.stdout().length() < 10_100);
        assertTrue(result.stdout().contains("\n[gpuflow left out 299990012 bytes here]\n"));
        String kept = Files.readString(result.stdoutFile());
        assertTrue(kept.length() < 105_100, "kept " + kept.length());
        assertTrue(kept.endsWith("\nlast\n"));
        assertEquals(
                List.of("stdout: of 300000012 bytes the beginning and the end were kept"),
                result.notes());
    }

    @Test
    void bytesAreKeptAsTheyAre() throws Exception {
        byte[] bytes = new byte[200_000];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(dir.resolve("bytes"), bytes);
        ToolResult result = sh(1 << 20, 1 << 20, List.of(), "cat " + file);
        assertArrayEquals(bytes, Files.readAllBytes(result.stdoutFile()));
        assertEquals(new String(bytes, StandardCharsets.UTF_8), result.stdout());
    }

    @Test
    void aClosedOutputIsNotTheEnd() {
        ToolResult result = sh(99, 99, List.of(), "echo a; exec >&- 2>&-; sleep 0.3; exit 4");
        assertEquals(4, result.exit());
        assertEquals("a\n", result.stdout());
        assertTrue(result.seconds() >= 0.3);
    }

    @Test
    void anOutputThatAStrayHoldsOpenIsNotWaitedFor() {
        ToolResult result = sh(99, 99, List.of(), "trap '' TERM; sleep 300 & echo a; exit 0");
        assertEquals("a\n", result.stdout());
        assertEquals(1, result.strays().size(), () -> result.strays().toString());
        assertTrue(result.seconds() < 1);
    }

    @Test
    void everyOneOfManyFastLinesIsTold() {
        AtomicInteger count = new AtomicInteger();
        try (LiveTools tools = new LiveTools(dir)) {
            ToolResult result =
                    tools.run(
                            ToolCall.of(LIMIT, "seq", "300000"),
                            (stderr, text) -> {
                                int line = count.incrementAndGet();
                                if (!text.equals("" + line)) {
                                    throw new IllegalStateException(text);
                                }
                            });
            assertEquals(List.of(), result.notes());
        }
        assertEquals(300_000, count.get());
    }

    @Test
    void aListenerThatFailsDoesNotStopTheOutput() {
        try (LiveTools tools = new LiveTools(dir)) {
            ToolResult result =
                    tools.run(
                            ToolCall.of(LIMIT, "seq", "3"),
                            (stderr, text) -> {
                                throw new IllegalStateException("display");
                            });
            assertEquals("1\n2\n3\n", result.stdout());
            assertEquals(1, result.notes().size());
        }
    }

    @Test
    void aLineWithoutEndIsToldInPieces() {
        AtomicInteger longest = new AtomicInteger();
        try (LiveTools tools = new LiveTools(dir)) {
            tools.run(
                    ToolCall.of(LIMIT, "head", "-c", "1000000", "/dev/zero"),
                    (stderr, text) -> longest.accumulateAndGet(text.length(), Math::max));
        }
        assertEquals(1 << 14, longest.get());
    }

    @Test
    void secretsAreMaskedWhereverBuffersEnd() throws Exception {
        String secret = "hunter2-\"x\"";
        ToolResult result =
                sh(
                        1 << 20,
                        1 << 20,
                        List.of(secret, "hunter2", "abc"),
                        "printf 'a hun'; sleep 0.2; printf 'ter2-\"x\" b hunter2- abc hunt'; echo");
        assertEquals("a *** b ***- abc hunt\n", result.stdout());
        assertEquals(result.stdout(), Files.readString(result.stdoutFile()));
        String call = Files.readString(result.stdoutFile().resolveSibling("call.json"));
        assertTrue(!call.contains("hunter2-"), call);
    }

    @Test
    void maskingAnywhereInAStreamEqualsMaskingTheWhole() {
        Random random = new Random(7);
        List<String> secrets = List.of("abab", "ababc", "aaaab", "bbbbbbbb");
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 60; i++) {
                text.append((char) ('a' + random.nextInt(round % 2 == 0 ? 2 : 3)));
            }
            SecretMask whole = new SecretMask(secrets);
            SecretMask parts = new SecretMask(secrets);
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream inParts = new ByteArrayOutputStream();
            for (int at = 0; at < bytes.length; ) {
                int count = Math.min(bytes.length - at, 1 + random.nextInt(9));
                byte[] part = java.util.Arrays.copyOfRange(bytes, at, at + count);
                inParts.writeBytes(parts.next(part, count));
                at += count;
            }
            inParts.writeBytes(parts.rest());
            String expected =
                    new String(whole.next(bytes, bytes.length), StandardCharsets.UTF_8)
                            + new String(whole.rest(), StandardCharsets.UTF_8);
            assertEquals(expected, inParts.toString(StandardCharsets.UTF_8));
            secrets.forEach(secret -> assertTrue(!expected.contains(secret), expected));
        }
    }

    @Test
    void bothEndsOfAStreamAreExact() {
        Random random = new Random(3);
        for (int round = 0; round < 500; round++) {
            int limit = 2 + random.nextInt(40);
            Ends ends = new Ends(limit);
            StringBuilder all = new StringBuilder();
            for (int piece = random.nextInt(12); piece > 0; piece--) {
                String text = "x".repeat(random.nextInt(30));
                text = text.replaceAll("x", "" + (char) ('a' + random.nextInt(26)));
                all.append(text);
                ends.add(text.getBytes(StandardCharsets.UTF_8), text.length());
            }
            int half = limit / 2;
            String whole = all.toString();
            int left = whole.length() - 2 * half;
            String expected =
                    left <= 0
                            ? whole
                            : whole.substring(0, half)
                                    + "\n[gpuflow left out "
                                    + left
                                    + " bytes here]\n"
                                    + whole.substring(whole.length() - half);
            assertEquals(expected, ends.text());
        }
    }

    @Test
    void aFullDiskIsSaidAndWhatMemoryHoldsCounts() throws Exception {
        Path mount = Files.createDirectory(dir.resolve("full"));
        Process mounting =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "" + mount)
                        .redirectErrorStream(true)
                        .start();
        assumeTrue(mounting.waitFor() == 0, "only root can mount a small file system");
        try {
            LiveTools.Limits small = new LiveTools.Limits(1 << 20, 1 << 20, GRACE, GRACE);
            try (LiveTools tools = new LiveTools(mount, small, List.of())) {
                ToolResult result =
                        tools.run(ToolCall.of(LIMIT, "head", "-c", "500000", "/dev/zero"));
                assertEquals(Outcome.EXITED, result.outcome(), result.why());
                assertEquals(500_000, result.stdout().length());
                assertTrue(result.notes().get(0).endsWith("the disk is full"), "" + result);
            }
            LiveTools.Limits tiny = new LiveTools.Limits(1000, 1 << 20, GRACE, GRACE);
            try (LiveTools tools = new LiveTools(mount, tiny, List.of())) {
                ToolResult result =
                        tools.run(ToolCall.of(LIMIT, "head", "-c", "500000", "/dev/zero"));
                assertEquals(Outcome.BROKEN, result.outcome());
                assertEquals("its output could not be kept: the disk is full", result.why());
            }
        } finally {
            new ProcessBuilder("umount", "" + mount).start().waitFor();
        }
    }

    @Test
    void aRecordsFolderThatCannotBeWrittenIsSaid() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");
        try (LiveTools tools = new LiveTools(file.resolve("records"))) {
            ToolResult result = tools.run(ToolCall.of(LIMIT, "echo", "a"));
            assertEquals("a\n", result.stdout());
            assertEquals(1, result.notes().size());
            assertTrue(result.notes().get(0).startsWith("its output is not kept in " + file));
        }
    }

    @Test
    void aMountThatForbidsProgramsIsNamed() throws Exception {
        Path mount = Files.createDirectory(dir.resolve("noexec"));
        Process mounting =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", "" + mount)
                        .redirectErrorStream(true)
                        .start();
        assumeTrue(mounting.waitFor() == 0, "only root can mount");
        try (LiveTools tools = new LiveTools(null)) {
            Path tool = Files.writeString(mount.resolve("tool"), "#!/bin/sh\n");
            assertTrue(tool.toFile().setExecutable(true) || tool.toFile().exists());
            ToolResult result = tools.run(ToolCall.of(LIMIT, "" + tool));
            assertEquals(Outcome.MISSING, result.outcome());
            assertEquals(tool + " can't be run: " + mount + " is mounted noexec", result.why());
        } finally {
            new ProcessBuilder("umount", "" + mount).start().waitFor();
        }
    }
}
