package io.gpuflow.facts;

/**
 * Registration of one GPU with the NVSwitch fabric, as nvidia-smi -q prints it.
 *
 * @param state Completed, In Progress, Not Started, N/A …
 * @param status Success, or the error text
 */
public record GpuFabric(
        int gpu, String state, String status, String cliqueId, String clusterUuid, String health)
        implements Fact {}
