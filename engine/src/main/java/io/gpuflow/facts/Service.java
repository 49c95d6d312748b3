package io.gpuflow.facts;

/**
 * A system service that GPUs depend on.
 *
 * @param name nvidia-fabricmanager, nvidia-imex, nvidia-persistenced …
 * @param state active, inactive, failed or absent
 */
public record Service(String name, String state, String version) implements Fact {}
