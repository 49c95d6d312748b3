package io.gpuflow.facts;

/**
 * NVLinks of one GPU.
 *
 * @param gbpsPerLink rate of one link and direction as nvidia-smi nvlink -s prints it, GB/s (26.562
 *     on H100, 53.125 on B200)
 */
public record NvLinkState(int gpu, Integer linksUp, Integer linksDown, Double gbpsPerLink)
        implements Fact {}
