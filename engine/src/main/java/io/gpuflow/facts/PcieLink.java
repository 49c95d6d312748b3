package io.gpuflow.facts;

/**
 * PCIe link of one GPU. An idle link may train down in generation, never in width.
 *
 * @param genMax the lower of what GPU and slot can do
 */
public record PcieLink(int gpu, Integer genNow, Integer genMax, Integer widthNow, Integer widthMax)
        implements Fact {}
