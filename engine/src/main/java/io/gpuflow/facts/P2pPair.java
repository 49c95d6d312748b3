package io.gpuflow.facts;

/**
 * Whether the driver grants peer access from GPU a to GPU b.
 *
 * @param kind read, write, nvlink, atomics or pcie (nvidia-smi topo -p2p r|w|n|a|p)
 * @param status OK, CNS, GNS, TNS, NS, U …
 */
public record P2pPair(int a, int b, String kind, String status) implements Fact {}
