package io.gpuflow.facts;

/**
 * The model a user wants to train.
 *
 * @param trainingBytes weights, gradients and optimizer states for mixed-precision AdamW, bytes,
 *     before sharding
 */
public record ModelSize(String name, Long parameters, Long trainingBytes) implements Fact {}
