package io.gpuflow.facts;

/**
 * The best path between two GPUs; a is smaller than b.
 *
 * @param link label of nvidia-smi topo -m (NV18, PIX, PXB, PHB, NODE, SYS) or XGMI, PCIE
 * @param nvlinks bonded NVLinks, null when not NVLink
 * @param hops Infinity Fabric or PCIe hops where the tool says so
 * @param gbps rate of the path per direction, GB/s, where the tool says so (amd-smi)
 */
public record GpuPair(int a, int b, String link, Integer nvlinks, Integer hops, Double gbps)
        implements Fact {
    public GpuPair(int a, int b, String link, Integer nvlinks, Integer hops) {
        this(a, b, link, nvlinks, hops, null);
    }

    /** The component a under a name that rules can use: Drools cannot digest one-letter names. */
    public int gpu() {
        return a;
    }

    /** The component b, likewise. */
    public int peer() {
        return b;
    }
}
