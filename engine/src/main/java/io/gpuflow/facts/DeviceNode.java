package io.gpuflow.facts;

/** A file under /dev that a GPU job needs. */
public record DeviceNode(String path, boolean present, Boolean readable) implements Fact {}
