package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** RAS names a process of this machine; what the kernel says of it decides. */
@EnabledOnOs(OS.LINUX)
class LiveRasTest {
    private static final RuleBook RULES = ShippedRules.load();

    private static Diagnosis diagnosis(String sample, String rank, String... argv)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().put("RANK", rank);
        Process process = builder.start();
        try {
            if (sample.endsWith("missing.out")) {
                signal("STOP", process.pid());
            }
            Thread.sleep(100); // until it has become what it is
            String report =
                    Files.readString(
                                    Path.of(System.getProperty("gpuflow.home", "."))
                                            .resolve("engine/samples/ras/" + sample))
                            .replaceAll(
                                    "(Rank 1 .*by process )\\d+ on node \\S+",
                                    "$1" + process.pid() + " on node 127.0.0.1");
            try (RasServer server = new RasServer(report)) {
                OtherEvidence evidence = new OtherEvidence();
                LiveRas.into(evidence, List.of(server.address()), Duration.ofMillis(1));
                List<Observed> facts =
                        evidence.facts().values().stream().flatMap(List::stream).toList();
                List<Observed> joined = ProcessEvidence.joined(facts);
                return Diagnosis.of(new JobEvidence("job", joined, List.of(), null), RULES);
            }
        } finally {
            signal("CONT", process.pid());
            process.destroyForcibly().waitFor();
        }
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
    }

    private static Verdict root(Diagnosis diagnosis) {
        Verdict first = diagnosis.verdicts().get(0);
        assertEquals(Verdict.Role.ROOT, first.role(), diagnosis.verdicts().toString());
        return first;
    }

    @Test
    void aRankThatSleepsIsInNoCollective() throws Exception {
        Verdict root = root(diagnosis("h200x2--one-rank-behind.out", "1", "sleep", "30"));
        assertEquals("rank-did-not-join", root.cause());
        assertEquals(List.of(1), root.ranks());
    }

    @Test
    void aRankThatRunsMayPollItsDevice() throws Exception {
        String loop = "while :; do :; done";
        Diagnosis d = diagnosis("h200x2--one-rank-behind.out", "1", "sh", "-c", loop);
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome(), d.verdicts().toString());
        assertTrue(d.note().contains("shows rank 1 behind"), d.note());
    }

    @Test
    void aStoppedRankIsStopped() throws Exception {
        Verdict root = root(diagnosis("h200x2--one-rank-missing.out", "1", "sleep", "30"));
        assertEquals("rank-stopped", root.cause());
        assertEquals(List.of(1), root.ranks());
    }

    @Test
    void anotherProcessOfTheSameNumberTellsNothing() throws Exception {
        Diagnosis d = diagnosis("h200x2--one-rank-missing.out", "7", "sleep", "30");
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome(), d.verdicts().toString());
    }

    @Test
    void whatDoesNotSpeakAsRasDoesIsToldAsUnread() throws Exception {
        for (String garbage : List.of("HTTP/1.1 400 Bad Request\r\n\r\n", "OK\n".repeat(500_000))) {
            try (RasServer server = new RasServer(garbage + "x")) {
                OtherEvidence evidence = new OtherEvidence();
                var unread =
                        LiveRas.into(evidence, List.of(server.address()), Duration.ofMillis(1));
                assertTrue(unread.get(0).why().contains("does not speak as"), unread.toString());
            }
        }
    }
}
