package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of several jobs are not taken for those of one. */
class JobsTest {
    private static final RuleBook RULES = ShippedRules.load();
    private static final String OUT_OF_MEMORY =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n";
    private static final String PORT =
            "torch.distributed.DistNetworkError: The server socket has failed to listen on any"
                    + " local network address. port: 29500, code: -98, name: EADDRINUSE\n";

    @TempDir Path folder;

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Set<String> causes(List<Diagnosis> jobs) {
        return jobs.stream()
                .flatMap(j -> j.verdicts().stream())
                .filter(v -> v.role() == Verdict.Role.ROOT)
                .map(Verdict::cause)
                .collect(Collectors.toSet());
    }

    private List<Diagnosis> all(Path... paths) {
        return Diagnosis.all(List.of(paths), List.of(), RULES);
    }

    @Test
    void theSchedulersNumberTellsJobsApart() throws IOException {
        file("slurm-4711.out", "[rank0]: " + OUT_OF_MEMORY);
        file("slurm-4712.out", "[rank0]: " + PORT);
        file("slurm-4711.err", "step 5 loss=0.1\n");
        List<Diagnosis> jobs = all(folder);
        assertEquals(2, jobs.size());
        assertEquals(Set.of("rank-oom", "port-in-use"), causes(jobs));
        assertEquals(Diagnosis.Outcome.FAULT, Diagnosis.worst(jobs));
    }

    @Test
    void failuresThatNothingConnectsAreOfTwoJobsUnlessNamedTogether() throws IOException {
        Path a = file("a.log", OUT_OF_MEMORY);
        Path b = file("b.log", PORT);
        assertEquals(2, all(folder).size());
        assertEquals(1, all(a, b).size());
    }

    @Test
    void oneRankInTwoProcessesIsOfTwoJobs() throws IOException {
        for (int job = 0; job < 2; job++) {
            file(
                    "try" + job + "/train.log",
                    """
                      time      : 2026-11-29_10:00:0%d
                      host      : n1
                      rank      : 1 (local_rank: 1)
                      exitcode  : 1 (pid: 50%d)
                      traceback : To enable traceback see: https://pytorch.org
                    """
                            .formatted(job, job));
        }
        assertEquals(2, all(folder).size());
    }

    @Test
    void logsOfTheRanksOfOneJobStayTogether() throws IOException {
        file("rank_0.log", "[rank0]: Connection closed by peer 10.0.0.1\n");
        file("rank_1.log", "[rank1]: " + OUT_OF_MEMORY);
        file("dmesg.txt", "[   10.000000] NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n");
        List<Diagnosis> jobs = all(folder);
        assertEquals(1, jobs.size());
        assertEquals(List.of(1), jobs.get(0).verdicts().get(0).ranks());
    }

    @Test
    void aRunIsJudgedByWhatItsStepsRecorded() throws IOException {
        Path runs =
                Path.of(
                        System.getProperty("gpuflow.home", "."),
                        "engine/samples/planted/h200x2/oom");
        assertEquals(1, all(runs).size());
        file("run/journal.jsonl", "{\"type\":\"no such entry\"}\n");
        List<Diagnosis> jobs = all(folder.resolve("run"));
        assertEquals(1, jobs.size());
        assertEquals(Diagnosis.Outcome.UNKNOWN, jobs.get(0).outcome());
        assertTrue(jobs.get(0).verdicts().isEmpty(), jobs.get(0).verdicts().toString());
    }

    @Test
    void damagedJournalsOfRunsAreRefusedInWords() throws IOException {
        String entry =
                "{\"type\":\"run-started\",\"at\":\"2026-11-29T10:00:00Z\",\"steps\":[\"a\"]}\n"
                        + "{\"type\":\"attempt-ended\",\"step\":\"a\",\"facts\":\"../../../etc/passwd\"}\n";
        java.util.Random random = new java.util.Random(9);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = entry.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            for (int k = random.nextInt(12); k > 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Files.createDirectories(folder.resolve("damaged"));
            Files.write(folder.resolve("damaged/journal.jsonl"), bytes);
            List<JobEvidence> jobs =
                    JobEvidence.read(List.of(folder.resolve("damaged")), List.of());
            assertEquals(1, jobs.size());
        }
    }

    @Test
    void dumpsThatLieAsNearToOneJobAsToAnotherAreJudgedAlone(@TempDir Path folder)
            throws Exception {
        Path planted =
                Path.of(System.getProperty("gpuflow.home", "."), "engine/samples/planted/h200x2");
        for (String fault : List.of("raise_error", "out_of_memory", "sleep/fr")) {
            Path from = planted.resolve(fault);
            Path to = Files.createDirectories(folder.resolve(fault));
            try (var files = Files.list(from)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String name = file.getFileName().toString();
                    if (name.equals("job.log") || name.startsWith("nccl_trace")) {
                        Files.copy(file, to.resolve(name));
                    }
                }
            }
        }
        Map<String, String> causes = new TreeMap<>();
        for (Diagnosis d : Diagnosis.all(List.of(folder), List.of(), RULES)) {
            Path of = folder.relativize(Path.of(d.job()));
            causes.put(of.getName(0).toString(), d.verdicts().get(0).cause());
        }
        Map<String, String> own =
                Map.of(
                        "raise_error", "rank-exception",
                        "out_of_memory", "rank-oom",
                        "sleep", "rank-did-not-join");
        assertEquals(own, causes);
    }

    @Test
    void anAnswerOfRasIsJudged() throws Exception {
        Path samples = Path.of(System.getProperty("gpuflow.home", "."), "engine/samples/ras");
        String report = Files.readString(samples.resolve("h200x2--one-rank-behind.out"));
        try (RasServer server = new RasServer(report)) {
            OtherEvidence evidence = new OtherEvidence();
            var unread =
                    LiveRas.into(
                            evidence, List.of(server.address()), java.time.Duration.ofMillis(1));
            assertTrue(unread.isEmpty(), unread.toString());
            assertTrue(server.asked().contains("VERBOSE STATUS"), server.asked());
            List<io.gpuflow.facts.Observed> facts =
                    evidence.facts().values().stream().flatMap(List::stream).toList();
            JobEvidence job = new JobEvidence("job", ProcessEvidence.joined(facts), unread, null);
            Diagnosis d = Diagnosis.of(job, RULES);
            assertEquals("rank-did-not-join", d.verdicts().get(0).cause());
        }
    }

    @Test
    void anAnswerThatShowsNothingIsNoHealth() throws Exception {
        String report =
                """
                NCCL version 2.28.9 compiled with CUDA 13.0
                CUDA runtime version 13000, driver version 13000

                Communicators... (0.000s)
                =============

                Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
                    #  in group  per comm  per node  per comm  in group
                    0         1         1         2         2         2   RUNNING      OK

                Errors
                ======

                Warnings
                ========
                """;
        try (RasServer server = new RasServer(report)) {
            OtherEvidence evidence = new OtherEvidence();
            LiveRas.into(evidence, List.of(server.address()), java.time.Duration.ofMillis(1));
            List<io.gpuflow.facts.Observed> facts =
                    evidence.facts().values().stream().flatMap(List::stream).toList();
            Diagnosis d = Diagnosis.of(new JobEvidence("job", facts, List.of(), null), RULES);
            assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
            assertTrue(d.note().contains("RAS answers"), d.note());
        }
    }

    @Test
    void anAbsentServiceIsToldWithTheReason() {
        List<Diagnosis> jobs = Diagnosis.all(List.of(), List.of("127.0.0.1:1"), RULES);
        assertEquals(Diagnosis.Outcome.UNKNOWN, jobs.get(0).outcome());
        String why = jobs.get(0).unread().get(0).why();
        assertTrue(why.contains("older than 2.24"), why);
        assertNull(
                jobs.get(0).verdicts().stream()
                        .filter(v -> v.role() == Verdict.Role.ROOT)
                        .findAny()
                        .orElse(null));
    }
}
