package io.gpuflow.facts;

/** Marks everything a rule may look at. */
public interface Fact {}
