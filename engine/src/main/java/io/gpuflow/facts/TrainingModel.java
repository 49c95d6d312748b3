package io.gpuflow.facts;

/**
 * The model whose training {@code advise} plans.
 *
 * @param parameters all of them
 * @param active those that one token passes
 * @param experts of a layer; null for a dense model
 */
public record TrainingModel(
        String family,
        long parameters,
        long active,
        int heads,
        int kvHeads,
        int layers,
        int hidden,
        int vocab,
        Integer experts)
        implements Fact {}
