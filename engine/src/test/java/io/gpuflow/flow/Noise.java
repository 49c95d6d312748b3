package io.gpuflow.flow;

import java.util.Set;

/** What surrounds a failure in real logs and must not change what is said of it. */
final class Noise {
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
    static final Set<String> AROUND_CAUSES =
            Set.of(
                    "none",
                    "unknown",
                    "UNKNOWN",
                    "gdr-disabled",
                    "gpu-row-remap-pending",
                    "ib-unavailable-socket-fallback",
                    "ofi-plugin-missing",
                    "launcher-ranks-not-joined",
                    "p2p-acs-iommu",
                    "slow-rank0-preprocessing",
                    "collective-mismatch",
                    "rank-did-not-join",
                    "uneven-inputs",
                    "watchdog-heartbeat-stall");

    private Noise() {}

    static String around(String log) {
        return BEFORE + log + AFTER;
    }
}
