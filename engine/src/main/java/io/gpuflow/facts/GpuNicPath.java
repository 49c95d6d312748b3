package io.gpuflow.facts;

/** The PCIe path between a GPU and an adapter, in the words of nvidia-smi topo -m. */
public record GpuNicPath(int gpu, String nic, String link) implements Fact {}
