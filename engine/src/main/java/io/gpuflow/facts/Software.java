package io.gpuflow.facts;

/** A program or library and its version (nccl, nccl-tests, cuda-toolkit, ofed …). */
public record Software(String name, String version, String where) implements Fact {}
