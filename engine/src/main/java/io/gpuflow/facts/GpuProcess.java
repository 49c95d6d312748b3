package io.gpuflow.facts;

/** A process that holds memory on a GPU. */
public record GpuProcess(int gpu, int pid, String name, Long memoryBytes) implements Fact {}
