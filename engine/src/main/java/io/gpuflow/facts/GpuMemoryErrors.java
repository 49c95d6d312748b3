package io.gpuflow.facts;

/** ECC counters and row remapping (or page retirement) of one GPU. */
public record GpuMemoryErrors(
        int gpu,
        Boolean eccEnabled,
        Long uncorrectableVolatile,
        Long uncorrectableAggregate,
        Long correctableVolatile,
        Boolean remapPending,
        Boolean remapFailed,
        Long remappedUncorrectable,
        Boolean retiredPending)
        implements Fact {}
