package io.gpuflow.facts;

/**
 * Whether the driver grants peer access from GPU a to GPU b.
 *
 * @param kind read, write, nvlink, atomics or pcie (nvidia-smi topo -p2p r|w|n|a|p)
 * @param status OK, CNS, GNS, TNS, NS, U …
 */
public record P2pPair(int a, int b, String kind, String status) implements Fact {
    /** The component a under a name that rules can use: Drools cannot digest one-letter names. */
    public int gpu() {
        return a;
    }

    /** The component b, likewise. */
    public int peer() {
        return b;
    }
}
