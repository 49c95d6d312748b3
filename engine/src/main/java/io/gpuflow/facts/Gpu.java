package io.gpuflow.facts;

/**
 * One physical GPU as the vendor's tool numbers it.
 *
 * @param index physical index of nvidia-smi or amd-smi, from 0
 * @param vendor nvidia or amd
 * @param busId PCI address, lower case, four-digit domain: 0000:1b:00.0
 * @param computeCapability "9.0" for NVIDIA, the gfx name ("gfx942") for AMD
 */
public record Gpu(
        int index,
        String vendor,
        String model,
        String uuid,
        String busId,
        Long memoryBytes,
        String computeCapability,
        Integer numaNode)
        implements Fact {}
