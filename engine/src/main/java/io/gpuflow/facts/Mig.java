package io.gpuflow.facts;

/** MIG mode of one GPU and how many MIG devices it shows. */
public record Mig(int gpu, Boolean enabled, Integer devices) implements Fact {}
