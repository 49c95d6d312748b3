package io.gpuflow.facts;

/**
 * State of the IMEX domain that multi-node NVLink needs.
 *
 * @param domainState UP, DOWN, DEGRADED … of nvidia-imex-ctl -N
 * @param channelPresent /dev/nvidia-caps-imex-channels/channel0 exists and can be opened
 */
public record Imex(String domainState, Integer nodesReady, Integer nodes, Boolean channelPresent)
        implements Fact {}
