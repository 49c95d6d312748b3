package io.gpuflow.facts;

/** A fact and where it came from; what probes and parsers hand to the rules. */
public record Observed(Fact fact, Source source) {}
