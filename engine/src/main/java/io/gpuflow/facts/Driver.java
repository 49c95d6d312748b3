package io.gpuflow.facts;

/** The kernel driver of a GPU vendor and the newest CUDA (or ROCm) it supports. */
public record Driver(String vendor, String version, String cudaVersion) implements Fact {}
