package io.gpuflow.facts;

/**
 * ACS control of a PCIe bridge.
 *
 * @param redirect request or completion redirect, or source validation, is on: peer traffic goes
 *     through the root complex
 */
public record PcieAcs(String bridge, boolean redirect) implements Fact {}
