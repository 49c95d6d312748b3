package io.gpuflow.facts;

/** A rule asks for an experiment; only one that the workflow's step declares is run. */
public record Advice(String rule, String experiment, String reason) implements Fact {}
