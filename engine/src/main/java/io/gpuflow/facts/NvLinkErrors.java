package io.gpuflow.facts;

/** Error counters of one NVLink since the driver was loaded. */
public record NvLinkErrors(int gpu, int link, long replay, long recovery, long crc)
        implements Fact {}
