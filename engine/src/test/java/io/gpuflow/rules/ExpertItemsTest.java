package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What an expert looks at on a GPU server, each with the rules that cover it. A rule that is
 * renamed or removed must not leave a hole unseen.
 */
class ExpertItemsTest {
    private static final String ITEMS =
            """
            PCIe only: DDP or FSDP, no tensor parallelism | pcie-only-no-tensor-parallel
            NVSwitch all-to-all: tensor parallelism is cheap | all-to-all-tensor-parallel
            NVLink pairs or partial: inside a group only, which GPUs | linked-groups-tensor-parallel partial-links-tensor-parallel device-order-by-speed
            Infinity Fabric all-to-all | infinity-fabric-tensor-parallel
            P2P unsupported: host memory path | p2p-gpu-unsupported p2p-chipset-unsupported p2p-topology-unsupported p2p-unsupported
            hang at the first collective on PCIe | hang-at-first-collective p2p-path-broken p2p-path-not-at-fault p2p-copy-hangs
            multi-node NVLink without IMEX | imex-channel-missing imex-domain-down mnnvl-imex mnnvl-path-broken imex-channel-shared
            Cuda failure 800: IMEX channel permission | imex-not-permitted
            Fabric Manager not running (802) | fabric-manager-not-running fabric-manager-down fabric-not-registered
            NET/IB no device, Socket fallback | ib-falls-back ib-disabled-by-setting rdma-all-ports-down
            GPU newer than the toolkit | torch-lacks-gpu-arch gpu-arch-unsupported
            more processes than visible GPUs | more-ranks-than-gpus invalid-device-ordinal
            OMP_NUM_THREADS | one-cpu-thread-a-rank
            CPU and NUMA pinning, which cores for which GPU | pin-ranks-to-sockets gpus-across-sockets
            memlock too low for RDMA | locked-memory-small memlock-low
            /dev/shm too small | shared-memory-small shared-memory-full shm-too-small shm-too-small-workers
            NVLinks down or uneven | nvlink-links-down nvlink-counts-uneven nvlink-errors-counted
            PCIe link below its maximum | pcie-link-narrow pcie-link-slow-when-busy pcie-slots-uneven
            SHM or NET where NVLink exists | slow-transport-shm slow-transport-network p2p-refused-over-nvlink
            ECC, row remap, Xid | ecc-uncorrectable ecc-corrected-often ecc-past-errors ecc-disabled row-remap-failed row-remap-awaits-reset kernel-other-xid kernel-memory-error kernel-gpu-lost
            bandwidth below the ceiling | busbw-below-expected busbw-far-below-expected
            bandwidth below the baseline | busbw-below-baseline transport-differs-from-baseline
            wrong results | wrong-results smoke-sum-wrong
            driver and library mismatch | driver-library-mismatch nvml-versions-differ
            container hides topology | container-hides-topology
            one GPU | single-gpu
            which visible index is which GPU | visible-devices-mapping visible-devices-cut-short visibility-filters-stack mig-enabled-many
            two jobs side by side | gpu-already-in-use
            NUMA distance, hardware threads | gpus-across-sockets pin-ranks-to-sockets cpus-are-hardware-threads
            persistence mode | persistence-mode-off
            clocks, power cap, throttling | clocks-limited power-limit-lowered power-limits-uneven gpu-power-brake gpu-throttled-by-heat clock-limit-below-baseline power-limit-below-baseline
            temperature outliers | gpu-hotter-than-others
            driver too old for torch's CUDA | torch-needs-newer-driver torch-newer-than-driver driver-older-than-cuda
            NCCL too old for the GPU | nccl-older-than-gpu nccl-too-old
            two NCCLs loaded | nccl-copies-differ nccl-libraries-mixed
            left-over NCCL settings | nccl-tuning-left-over nccl-protocol-forced p2p-disabled-by-setting p2p-disabled-on-pcie p2p-level-too-low shm-disabled-by-setting nvls-disabled-by-setting cumem-disabled-by-setting ib-disabled-by-setting ib-gid-index-set disabled-peers-ignored
            GPUDirect RDMA | gdr-disabled gpu-memory-refused
            peermem | peermem-not-loaded
            ACS | acs-on acs-redirects-peers acs-on-with-rdma
            IOMMU mode | iommu-translates-peers iommu-blocks-p2p
            relaxed ordering | relaxed-ordering-disabled-by-setting relaxed-ordering-in-vm
            adapter affinity and rails | gpu-without-near-adapter rdma-rails-shared rdma-rates-uneven rdma-port-down
            RoCE GID | ib-gid-index-set ib-gid-changed ib-gid-link-local
            iommu=pt on AMD | rocm-iommu-not-passthrough amd-iommu-not-passed-through
            NUMA balancing | rocm-numa-balancing-on
            HSA settings | fine-grain-pcie-unset
            RCCL below 7.1.1 on gfx950 | rccl-corrupts-small-all-reduce rocm-older-than-gpu
            global batch, set_epoch, sampler padding, rank-0 checkpoints | data-parallel-batch
            poor scaling though the smoke test passes: input | few-cpus-for-gpus cpus-are-hardware-threads cgroup-memory-small one-cpu-thread-a-rank host-memory-below-gpu-memory
            poor scaling though the smoke test passes: communication | busbw-below-expected busbw-far-below-expected busbw-falls-with-gpus slow-transport-shm slow-transport-network pcie-only-no-tensor-parallel
            poor scaling though the smoke test passes: balance | smoke-rank-late power-limits-uneven gpu-hotter-than-others clocks-limited gpu-models-mixed pcie-slots-uneven nvlink-counts-uneven gpu-already-in-use
            """;

    @Test
    void eachItemIsCovered() {
        Set<String> ids = ShippedRules.cards().keySet();
        List<String> missing = new ArrayList<>();
        for (String line : ITEMS.lines().toList()) {
            String[] parts = line.split(" \\| ");
            assertEquals(2, parts.length, line);
            for (String id : parts[1].split(" ")) {
                if (!ids.contains(id)) {
                    missing.add(parts[0] + ": " + id);
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(ITEMS.lines().count() > 45);
    }

    @Test
    void whatWarnsSaysWhatToDoAndWhatItCosts() {
        for (RuleCard card : ShippedRules.cards().values()) {
            boolean warns = card.level() != null && card.level().ordinal() < 2;
            assertTrue(!warns || !card.fixes().isEmpty(), card.id());
            card.fixes().forEach(fix -> assertTrue(!fix.cost().isBlank(), card.id()));
        }
    }
}
