package io.gpuflow.facts;

/**
 * An experiment that was run for a step.
 *
 * @param outcome confirmed, refuted or inconclusive
 */
public record Tried(
        String step, String experiment, String outcome, Double before, Double after, String unit)
        implements Fact {}
