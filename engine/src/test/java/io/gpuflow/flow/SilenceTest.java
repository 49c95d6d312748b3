package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that came through its start and then says nothing may hang: no log of it is healthy. */
class SilenceTest {
    private static final String START =
            """
            W0402 09:00:01.100000 23 torch/distributed/run.py:792] *****************************************
            W0402 09:00:01.100000 23 torch/distributed/run.py:792] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default
            W0402 09:00:01.100000 23 torch/distributed/run.py:792] *****************************************
            n1:8:8 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>
            n1:8:8 [0] NCCL INFO NCCL version 2.26.2+cuda12.4
            n1:8:40 [0] NCCL INFO Using network Socket
            n1:9:41 [1] NCCL INFO Using network Socket
            n1:8:40 [0] NCCL INFO ncclCommInitRankConfig comm 0x5581 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 3000 commId 0x6f - Init START
            n1:9:41 [1] NCCL INFO ncclCommInitRankConfig comm 0x5582 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 4000 commId 0x6f - Init START
            n1:8:40 [0] NCCL INFO Channel 00/02 : 0 1
            n1:8:40 [0] NCCL INFO Channel 01/02 : 0 1
            """;

    private static final String READY =
            """
            n1:8:40 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM
            n1:9:41 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM
            n1:8:40 [0] NCCL INFO Connected all rings
            n1:9:41 [1] NCCL INFO Connected all rings
            n1:8:40 [0] NCCL INFO ncclCommInitRankConfig comm 0x5581 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 3000 commId 0x6f - Init COMPLETE
            n1:9:41 [1] NCCL INFO ncclCommInitRankConfig comm 0x5582 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 4000 commId 0x6f - Init COMPLETE
            """;

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n1:8:90 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n",
                "Loading safetensors checkpoint shards: 100% Completed | 4/4 [00:09<00:00,  2.1s/it]\n",
                "[rank0]: Training starts at step 1\n",
                "[rank0]: training for 1000 steps\n"
            })
    void nothingBelowTheStart(String last) throws IOException {
        Diagnosis d = judge(START + READY + last);
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
        assertTrue(d.note().startsWith("The log ends at: "), d.note());
        assertTrue(d.note().contains("py-spy dump --pid"), d.note());
    }

    @Test
    void theEndOfALogIsEnough() throws IOException {
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(READY).outcome());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "step 1 | loss 2.0\n",
                "  3%|#  | 10/300 [00:10<04:50,  1.00s/it]\n",
                "n1:8:8 [0] NCCL INFO comm 0x5581 rank 0 nranks 2 cudaDev 0 busId 3000 - Destroy COMPLETE\n",
                "     1048576        262144     float     sum      -1    45.17   23.21   23.21      0\n",
                "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 48.86\n",
                "{'train_runtime': 3712.4, 'train_loss': 1.3}\n",
                "(APIServer pid=8) INFO:     Application startup complete.\n",
                "[2025-01-20 04:12:45 TP0] Decode batch. #running-req: 1, gen throughput (token/s): 71.02\n",
                "`Trainer.fit` stopped: `max_epochs=5` reached.\n",
                "job exited with code 0\n"
            })
    void workOrAnEnd(String last) throws IOException {
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(START + READY + last).outcome());
    }

    @Test
    void anotherFileShowsTheWork() throws IOException {
        Files.writeString(folder.resolve("nccl.8.log"), START + READY);
        Files.writeString(folder.resolve("out.log"), "step 1 loss 2.0\nstep 2 loss 1.9\n");
        assertEquals(Diagnosis.Outcome.HEALTHY, Diagnosis.of(List.of(folder), rules).outcome());
    }

    @Test
    void pickedLinesTellOnlyWhatTheyShow() throws IOException {
        String one =
                "n1:9:41 [1] NCCL INFO comm 0x5582 rank 1 nranks 32 cudaDev 1 nvmlDev 1 - Init COMPLETE\n";
        Diagnosis d = judge(one);
        assertEquals(Diagnosis.Outcome.HEALTHY, d.outcome());
        assertTrue(d.note().contains("picked out"), d.note());
    }

    @Test
    void testsThatFailOnPurpose() throws IOException {
        String log =
                """
                collected 2 items
                tests/test_faults.py::test_oom
                ERROR    trainer:watch.py:88 torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.
                PASSED                                                                   [ 50%]
                """;
        String well = "=================== 2 passed, 1 xfailed in 41.20s ===================\n";
        String ill = "=================== 1 failed, 1 passed in 41.20s ====================\n";
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(log + well).outcome());
        assertFalse(judge(log + ill).outcome() == Diagnosis.Outcome.HEALTHY);
        String unit = "ERROR foo\n----------\nRan 7 tests in 19.002s\n\nOK\n";
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(unit).outcome());
        assertFalse(judge("ERROR foo\nOK\n").outcome() == Diagnosis.Outcome.HEALTHY);
    }

    @Test
    void oneRankStopsAndTheOthersGoOn() throws IOException {
        Diagnosis d = judge(steps(15));
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
        assertTrue(d.note().startsWith("Rank 2 stops at: step 15 "), d.note());
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(steps(20)).outcome());
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(steps(19)).outcome());
        for (int rank = 0; rank < 3; rank++) {
            StringBuilder own = new StringBuilder();
            for (int step = 0; step <= (rank == 1 ? 100 : 140); step += 10) {
                own.append("step ").append(step).append(" loss 2.0\n");
            }
            Path files = Files.createDirectories(folder.resolve("ranks"));
            Files.writeString(files.resolve("rank" + rank + ".log"), own);
        }
        Diagnosis files = Diagnosis.of(List.of(folder.resolve("ranks")), rules);
        assertEquals(Diagnosis.Outcome.UNKNOWN, files.outcome());
        assertTrue(files.note().startsWith("Rank 1 stops at: step 100 "), files.note());
    }

    private static String steps(int lastOfRankTwo) {
        StringBuilder log = new StringBuilder();
        for (int step = 10; step <= 20; step++) {
            for (int rank = 0; rank < 4; rank++) {
                if (rank != 2 || step <= lastOfRankTwo) {
                    log.append("[rank" + rank + "]: step " + step + " loss 2.0\n");
                }
            }
        }
        return log.toString();
    }

    private static final Path STACKS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "stacks");

    @Test
    void stacksTellWhereTheRanksStand() throws IOException {
        Path dumps = STACKS.resolve("a100x4--pyspy-one-at-its-data.out");
        Diagnosis d = Diagnosis.of(List.of(dumps), rules);
        assertEquals(Diagnosis.Outcome.FAULT, d.outcome());
        assertEquals("rank-did-not-join", d.verdicts().get(0).cause());
        assertEquals(List.of(2), d.verdicts().get(0).ranks());
        Diagnosis saves =
                judge(
                        steps(20)
                                + Files.readString(
                                        STACKS.resolve("a100x2--faulthandler-one-saves.out")));
        assertEquals("slow-checkpoint", saves.verdicts().get(0).cause());
        assertEquals(List.of(0), saves.verdicts().get(0).ranks());
    }

    @Test
    void stacksThatTellNoRankApartAreNoCleanBill() throws IOException {
        String all =
                steps(20)
                        + Files.readString(STACKS.resolve("a100x4--pyspy-one-at-its-data.out"))
                                .split("(?=Process 1002)")[0];
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(all).outcome());
    }

    private Diagnosis judge(String log) throws IOException {
        return Diagnosis.of(List.of(Files.writeString(folder.resolve("job.log"), log)), rules);
    }
}
