package io.gpuflow.step;

/**
 * Which share of a link's rate healthy machines reach with large messages, and on what that rests.
 *
 * @param share of the ceiling; null when there is no public measurement
 * @param gbps instead of a share, where the rate does not depend on the link
 */
enum Reached {
    /** Ring over NVSwitch, all_reduce. */
    NVSWITCH(
            0.76,
            "healthy NVSwitch machines reach 0.76 (B200, 682 of 900) to 0.81 (H200, 363 of 450) of it"
                    + " by rings with messages of 2 GiB and more (stas00/ml-engineering, network)"),
    /** Other collectives through NVSwitch, where fewer figures are public. */
    NVSWITCH_OTHER(
            0.64,
            "healthy NVSwitch machines reach 0.64 (all_gather on 2 × H200, own capture, 288 of 450) to"
                    + " 0.80 (8 × H200, 361 of 450) of it (stas00/ml-engineering, network)"),
    /** Reduction inside NVSwitch. */
    NVLS(
            0.47,
            "healthy machines reach 0.47 (GB200 NVL72, 840 of 1775) to 0.60 (8 × H200, 473 of 788) of "
                    + "it (stas00/ml-engineering, network; coreweave/nccl-tests)"),
    /** NVLink from GPU to GPU, without a switch. */
    NVLINK(
            0.64,
            "healthy bridged pairs reach 0.64 (Azure's threshold, 193 of 300) to 0.69 (208 of 300) of "
                    + "it (Azure/azurehpc-health-checks; NVIDIA/nccl-tests issue 178)"),
    XGMI(
            0.65,
            "healthy Infinity Fabric machines reach 0.65 (8 × MI350X, 350 of 538) to 0.75 (2 × MI300X, "
                    + "47.7 of 64) of it (ROCm/system-acceptance-docs; stas00/ml-engineering)"),
    PCIE_P2P(
            0.55,
            "healthy PCIe machines with peer access reach 0.56 (8 × H100 PCIe, 35 of 63) to 0.79 (2 × "
                    + "A100 PCIe, 25 of 31.5) of it (Azure/azurehpc-health-checks; public reports)"),
    /** Through host memory: written by one GPU, read by the other. */
    SHM(
            0.44,
            "through host memory healthy machines reach 0.44 (2 × H200, 27.5 of 63, and 8 × RTX 5090, 28 "
                    + "of 63) to 0.56 (4 × RTX 5090, 35 of 63) of it (own capture; NVIDIA/nccl issue 1639)"),
    /** TCP on one machine: bound by copies of the kernel, not by a link. */
    SOCKET(
            null,
            "TCP between processes of one machine reaches 3 to 4 GB/s (2 × H200, own capture: 3.4 to "
                    + "3.9), bound by copies in the kernel");

    /** GB/s over NET/Socket inside one machine. */
    static final double SOCKET_GBPS = 3.4;

    private final Double share;
    private final String source;

    Reached(Double share, String source) {
        this.share = share;
        this.source = source;
    }

    /** Messages that take less than this do not show what a link carries. */
    private static final double LEAST_SECONDS = 1.5e-3;

    /** Bytes of the smallest message that may be compared with this bandwidth. */
    static long leastBytes(double expectedGbps) {
        return (long) (expectedGbps * 1e9 * LEAST_SECONDS);
    }

    double of(double ceiling) {
        return share == null ? SOCKET_GBPS : Math.round(share * ceiling * 10) / 10.0;
    }

    String because() {
        return source;
    }
}
