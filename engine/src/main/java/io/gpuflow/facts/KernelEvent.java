package io.gpuflow.facts;

/**
 * A line of the kernel log about GPUs, links or memory.
 *
 * @param kind xid, sxid, gpu-lost, driver-mismatch, nvlink, peermem (NVIDIA); gpu-ras,
 *     gpu-ras-corrected, gpu-page-fault, gpu-reset, gpu-hang, gpu-init, gpu-throttle (AMD); aer,
 *     iommu, oom, hung-task, lockup, mce, nic, segfault (in libnccl or librccl)
 * @param code Xid or SXid number
 * @param device PCI address (0000:1b:00.0; an Xid names the card, its function is written .0) or
 *     NVSwitch name
 * @param time as the log has it, or null
 */
public record KernelEvent(String kind, Integer code, String device, String text, String time)
        implements Fact {}
