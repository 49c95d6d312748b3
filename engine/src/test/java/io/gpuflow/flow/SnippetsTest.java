package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * engine/samples/snippets/CAUSE.txt: what the software prints when that is the cause, in the forms
 * that launchers and log collectors give it; none.txt and unknown.txt must stay quiet and open.
 */
class SnippetsTest {
    private static final Path SNIPPETS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "snippets");
    private static final String HEAD = "#--- ";
    private static final String ALSO = " | also: ";

    /** What stands in many healthy logs. */
    private static final String BEFORE =
            """
            W0402 09:00:01.100000 23 torch/distributed/run.py:792] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default
            box:402:402 [0] NCCL INFO Bootstrap: Using enp203s0:192.0.2.86<0>
            box:402:402 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.
            box:402:402 [0] NCCL INFO Failed to open libibverbs.so[.1]
            box:402:402 [0] NCCL INFO NET/IB : No device found.
            box:402:402 [0] NCCL INFO NET/Socket : Using [0]enp203s0:192.0.2.86<0> [1]br-03e037269530:172.19.0.1<0> [2]veth18cd3f2:fe80::1453%veth18cd3f2<0>
            box:402:402 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1
            box:402:402 [0] init.cc:179 NCCL WARN Missing "iommu=pt" from kernel command line which can lead to system instablity or hang!
            CUDA_VISIBLE_DEVICES=0,1,2,3
            [rank0]:[W402 09:00:12.100100100 ProcessGroupNCCL.cpp:4115] [PG ID 0 PG GUID 0 Rank 0]  using GPU 0 to perform barrier as devices used by this process are currently unknown. This can potentially cause a hang if this rank to GPU mapping is incorrect.
            wandb: Network error (ReadTimeout), entering retry loop.
            """;

    /** What the others say when one rank has failed. */
    private static final String AFTER =
            """
            [rank6]:[E402 11:30:29.100000000 ProcessGroupNCCL.cpp:632] [Rank 6] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9100, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600001 milliseconds before timing out.
            [rank6]:[E402 11:30:29.200000000 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 6] Exception (either an error or timeout) detected by watchdog at work: 9100, last enqueued NCCL work: 9100, last completed NCCL work: 9099.
            box:409:511 [7] misc/socket.cc:49 NCCL WARN socketProgress: Connection closed by remote peer box<38455>
            [rank7]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:93, remote process exited or there was a network error, NCCL version 2.26.2
            [rank7]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.
            W0402 11:31:27.902000 23 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 9042 closing signal SIGTERM
            E0402 11:31:30.100000 23 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -6) local_rank: 6 (pid: 9040) of binary: /usr/bin/python3
            torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
            """;

    /** These rest on what the lines around say, or on there being nothing else. */
    private static final Set<String> OF_THEIR_SURROUNDINGS =
            Set.of(
                    "none",
                    "unknown",
                    "gdr-disabled",
                    "gpu-row-remap-pending",
                    "ib-unavailable-socket-fallback",
                    "ofi-plugin-missing",
                    "launcher-ranks-not-joined",
                    "p2p-acs-iommu",
                    "collective-mismatch",
                    "rank-did-not-join",
                    "uneven-inputs",
                    "watchdog-heartbeat-stall");

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> snippets() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SNIPPETS)) {
            files = all.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files) {
            String cause = file.getFileName().toString().replace(".txt", "");
            for (String part : ("\n" + Files.readString(file)).split("\n" + HEAD)) {
                if (!part.isBlank()) {
                    int end = part.indexOf('\n');
                    String title = part.substring(0, end);
                    String log = part.substring(end + 1) + "\n";
                    tests.add(test(cause, title, log));
                    if (!OF_THEIR_SURROUNDINGS.contains(cause)) {
                        tests.add(test(cause, "among others: " + title, BEFORE + log + AFTER));
                    }
                }
            }
        }
        return tests;
    }

    private DynamicTest test(String cause, String title, String log) {
        return DynamicTest.dynamicTest(cause + ": " + title, () -> check(cause, title, log));
    }

    private void check(String cause, String title, String log) throws IOException {
        Path file = Files.writeString(folder.resolve("job.log"), log);
        Diagnosis d = Diagnosis.of(List.of(file), rules);
        Verdict root =
                d.verdicts().stream()
                        .filter(v -> v.role() == Verdict.Role.ROOT)
                        .findFirst()
                        .orElse(null);
        String said =
                root != null
                        ? root.cause()
                        : d.outcome() == Diagnosis.Outcome.HEALTHY ? "none" : "unknown";
        List<String> right = new ArrayList<>(List.of(cause));
        if (title.contains(ALSO)) {
            right.addAll(
                    List.of(title.substring(title.indexOf(ALSO) + ALSO.length()).split(", *")));
        }
        assertTrue(
                right.contains(said),
                () ->
                        "said "
                                + said
                                + (root == null ? "" : " [" + root.id() + "]")
                                + " of\n"
                                + log);
        if (root != null) {
            assertFalse(root.evidence().isEmpty());
            assertTrue(root.evidence().stream().allMatch(s -> s.line() > 0));
            assertFalse(root.fixes().isEmpty());
        }
    }
}
