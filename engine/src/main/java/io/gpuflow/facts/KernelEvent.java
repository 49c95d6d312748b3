package io.gpuflow.facts;

/**
 * A line of the kernel log about GPUs, links or memory.
 *
 * @param kind xid, sxid, aer, iommu, oom, nvlink, hung-task
 * @param code Xid or SXid number
 * @param device PCI address or NVSwitch name
 */
public record KernelEvent(String kind, Integer code, String device, String text, String time)
        implements Fact {}
