package io.gpuflow.facts;

/**
 * A setting of the running kernel.
 *
 * @param name iommu (off, passthrough or translated), numa_balancing (0, 1 or 2), pcie_aspm,
 *     dmesg_restrict …
 */
public record KernelSetting(String name, String value) implements Fact {}
