package io.gpuflow.facts;

/**
 * A figure of this machine's baseline.
 *
 * @param figure link_class, nvlinks_up, pcie_width, pcie_gen_max, power_limit_w, sm_clock_max_mhz,
 *     gpu_memory_bytes, ecc, host_memory_bytes, cpus, iommu
 * @param gpu index that the GPU it belongs to has now; null when it is of the whole machine
 * @param number its value, or null when it is a word
 * @param text its value in words, or null when it is a number
 * @param saved day of the baseline
 */
public record BaselineFigure(String figure, Integer gpu, Double number, String text, String saved)
        implements Fact {}
