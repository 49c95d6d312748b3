package io.gpuflow.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixTest {
    private static Prefix of(String line) {
        return Prefix.of(line, 2026);
    }

    private static double time(String iso) {
        OffsetDateTime t = OffsetDateTime.parse(iso);
        return t.toEpochSecond() + t.getNano() / 1e9;
    }

    @Test
    void torchrunAndGlog() {
        Prefix p =
                of(
                        "[rank3]:[E1129 15:36:21.947432877 ProcessGroupNCCL.cpp:689] [Rank 3] Watchdog"
                                + " caught");
        assertEquals(3, p.rank);
        assertEquals("Watchdog caught", p.body);
        assertEquals(time("2026-11-29T15:36:21.947432877Z"), p.time, 1e-3);
        assertEquals(2, of("[rank2]: Traceback (most recent call last):").rank);
        assertEquals(1, of("[default1]:hello").localRank);
        assertEquals(time("2026-06-06T09:09:08Z"), of("[E606 09:09:08.0 X.cpp:1] x").time, 1);
    }

    @Test
    void otherLaunchers() {
        assertEquals(12, of("[1,12]<stderr>:node1:815:864 [0] NCCL INFO x").rank);
        assertEquals(815, of("[1,12]<stderr>:node1:815:864 [0] NCCL INFO x").pid);
        assertEquals("node1", of("[1,12]<stderr>:node1:815:864 [0] NCCL INFO x").host);
        assertEquals(5, of("5: step 3").rank);
        assertEquals(509, of("(Worker pid=509) ERROR 04-13 19:52:24 [a.py:800] boom").pid);
        assertEquals("boom", of("(Worker pid=509) ERROR 04-13 19:52:24 [a.py:800] boom").body);
        assertEquals(2, of("(VllmWorker rank=2 pid=12) boom").rank);
        assertEquals("trainer-1", of("[pod/trainer-1/main] boom").host);
    }

    @Test
    void kernelAndJournal() {
        Prefix p = of("Nov 05 13:55:26 node1 kernel: NVRM: Xid (PCI:0000:05:00): 79, x");
        assertEquals("node1", p.host);
        assertEquals("NVRM: Xid (PCI:0000:05:00): 79, x", p.body);
        assertEquals(1084456.074554, of("[1084456.074554] NVRM: x").uptime, 1e-6);
        assertEquals(
                time("2021-01-27T23:04:35Z"), of("[Wed Jan 27 23:04:35 2021] NVRM: x").time, 1);
    }

    @Test
    void zonesAndColours() {
        assertEquals(
                time("2025-01-01T10:17:15.145363-04:00"),
                of("2025-01-01T10:17:15,145363-04:00 boom").time,
                1e-3);
        assertEquals("boom", of("\u001b[31m2025-01-01 10:17:15\u001b[0m boom").body);
    }

    @Test
    void aPlainLineHasNone() {
        Prefix p = of("I am a plain line");
        assertEquals("I am a plain line", p.body);
        assertNull(p.rank);
        assertNull(p.time);
    }

    @Test
    void noiseIsReadInTime() {
        Random random = new Random(3);
        String letters = "[]()0123456789:-. abcdINFO<>,/_\u001b|";
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    for (int i = 0; i < 3_000; i++) {
                        StringBuilder line = new StringBuilder();
                        for (int k = random.nextInt(400); k > 0; k--) {
                            line.append(letters.charAt(random.nextInt(letters.length())));
                        }
                        of(line.toString());
                    }
                });
    }
}
