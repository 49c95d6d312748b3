package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-29T15:32:51.123Z"));

    @TempDir Path dir;

    @Test
    void everyEntryReadsBackAsItWasWritten() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        append(file, entries());
        Journal.Contents contents = Journal.read(file);
        assertEquals(List.of(), contents.problems());
        assertEquals(entries(), contents.lines().stream().map(Journal.Line::entry).toList());
        assertEquals(CLOCK.instant(), contents.lines().get(0).at());
    }

    @Test
    void linesAreReadableByAPerson() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        append(file, List.of(new Entry.StepEnded("smoke", State.FAILED, "hung", 120.5)));
        assertEquals(
                """
                {"at":"2026-11-29T15:32:51.123Z","event":"step-ended","step":"smoke",\
                "state":"failed","reason":"hung","seconds":120.5}
                """,
                Files.readString(file));
    }

    @Test
    void aTornLastLineIsReportedAndKeptWhenTheRunGoesOn() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        append(file, entries());
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 7));
        append(file, List.of(new Entry.StepInterrupted("bench", 1)));

        Journal.Contents contents = Journal.read(file);
        int n = entries().size();
        assertEquals(n, contents.lines().size());
        assertEquals(new Entry.StepInterrupted("bench", 1), contents.lines().get(n - 1).entry());
        assertEquals(
                List.of(file + ":" + n + ": the line can't be read; skipped"), contents.problems());
    }

    @Test
    void cutAnywhereItLosesAtMostTheLineThatWasCut() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        append(file, entries());
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length <= whole.length; length += 3) {
            byte[] cut = Arrays.copyOf(whole, length);
            Files.write(file, cut);
            Journal.Contents contents = Journal.read(file);
            long newlines = new String(cut, StandardCharsets.UTF_8).lines().count();
            boolean endsWhole = length == 0 || cut[length - 1] == '\n';
            long expected = endsWhole ? newlines : newlines - 1;
            // A line that lacks only its newline is whole.
            assertTrue(contents.lines().size() >= expected, "cut at " + length);
            assertTrue(contents.problems().size() <= 1, "cut at " + length);
            assertEquals(newlines, contents.lines().size() + contents.problems().size());
        }
    }

    @Test
    void noDamageMakesReadingFail() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        append(file, entries());
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(20261129);
        for (int round = 0; round < 800; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(8); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            if (random.nextInt(4) == 0) {
                Arrays.fill(damaged, random.nextInt(damaged.length), damaged.length, (byte) 0);
            }
            Files.write(file, damaged);
            Ledger ledger = Ledger.read(file);
            ledger.steps().forEach(s -> assertFalse(s.id().isEmpty() && s.running()));
        }
    }

    @Test
    void whatIsNotAJournalIsReportedLineByLine() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        Files.writeString(
                file,
                """
                null
                []
                {"event":"step-ended"}
                {"at":"2026-11-29T15:32:51Z","event":"step-ended","step":"a","state":"fine","reason":""}
                {"at":"yesterday","event":"step-interrupted","step":"a"}
                {"at":"2026-11-29T15:32:51Z","event":"later-invention","step":"a"}
                """);
        Journal.Contents contents = Journal.read(file);
        assertEquals(List.of(), contents.lines());
        assertEquals(6, contents.problems().size());
    }

    @Test
    void secretsDoNotReachTheDisk() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        Secrets secrets = new Secrets(List.of("hunter22\nsecond \"line\"", "ab"));
        try (Journal journal = Journal.open(file, CLOCK, secrets)) {
            journal.append(
                    new Entry.StepEnded("a", State.FAILED, "said hunter22, second \"line\"", 1));
            journal.append(
                    new Entry.AttemptEnded(
                            "a",
                            1,
                            State.PASSED,
                            "ab",
                            null,
                            1,
                            null,
                            null,
                            Map.of("x", "ab"),
                            List.of()));
        }
        String text = Files.readString(file);
        assertFalse(text.contains("hunter22"), text);
        assertFalse(text.contains("line\\\""), text);
        assertTrue(text.contains("\"reason\":\"***\""), text);
        assertTrue(text.contains("\"x\":\"***\""), text);
        assertEquals(List.of(), Journal.read(file).problems());
    }

    @Test
    void aFullDiskIsTold() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no /dev/full here");
        try (Journal journal = Journal.open(full, CLOCK, Secrets.NONE)) {
            Journal.Lost lost =
                    assertThrows(
                            Journal.Lost.class,
                            () -> journal.append(new Entry.StepInterrupted("a", 1)));
            assertTrue(lost.getMessage().contains("No space left on device"), lost.getMessage());
        }
    }

    @Test
    void anInterruptedThreadStillWrites() throws IOException {
        Path file = dir.resolve("journal.jsonl");
        Thread.currentThread().interrupt();
        try {
            append(file, List.of(new Entry.StepInterrupted("a", 1)));
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(1, Journal.read(file).lines().size());
    }

    static void append(Path file, List<Entry> entries) throws IOException {
        try (Journal journal = Journal.open(file, CLOCK, Secrets.NONE)) {
            entries.forEach(journal::append);
        }
    }

    private static List<Entry> entries() {
        Map<String, String> env = new HashMap<>();
        env.put("NCCL_P2P_DISABLE", null);
        env.put("NCCL_ALGO", "Ring");
        Verdict verdict =
                new Verdict(
                        "p2p-disabled",
                        "bench",
                        "slow-transport",
                        Verdict.Role.ROOT,
                        Verdict.Level.WARN,
                        null,
                        0.9,
                        List.of(0, 1),
                        List.of(),
                        "27 of 339 GB/s",
                        "because",
                        List.of(new Verdict.Fix("fix", "user", "unset it", env, null)),
                        List.of(new Source("nccl.log", 12, "via SHM")),
                        List.of(),
                        Map.of("got", 27.5));
        Judgement judgement =
                new Judgement(
                        List.of(verdict),
                        List.of(),
                        List.of(
                                new Judgement.Untold(
                                        "xid",
                                        "hardware",
                                        List.of(new Unknown("KernelEvent", "dmesg: not root")))),
                        List.of());
        return List.of(
                new Entry.RunStarted(
                        "0.1.0",
                        "setup.yaml",
                        Map.of("model", "7b"),
                        "this machine",
                        true,
                        "/a/recording",
                        true,
                        List.of("smoke"),
                        4711),
                new Entry.StepStarted(
                        "smoke",
                        new StepKey("ab", Map.of("with.n", "c"), Map.of("Gpu", "d"), Map.of()),
                        "it failed"),
                new Entry.AttemptStarted(
                        "smoke", 1, Map.of("op", "all_reduce"), null, false, "steps/x"),
                new Entry.StepPlanned("bench", "run", "2 times", List.of("b", "-n")),
                new Entry.AttemptEnded(
                        "smoke",
                        1,
                        State.BROKEN,
                        "timed out after 120 s; last line: üñ\n\"x\"",
                        "timeout",
                        120.25,
                        "steps/x.facts.jsonl",
                        "00ff",
                        Map.of("gpus", List.of(0, 1), "name", "a"),
                        List.of("keep: nothing")),
                new Entry.ExperimentEnded(
                        "smoke", "p2p-off", "confirmed", null, 27.1, "GB/s", env, "works"),
                new Entry.Judged("smoke", List.of("ranks"), judgement),
                new Entry.StepEnded("smoke", State.FAILED, "hung", 121),
                new Entry.StepInterrupted("bench", 3.5),
                new Entry.RunEnded(1, false, 130));
    }
}
