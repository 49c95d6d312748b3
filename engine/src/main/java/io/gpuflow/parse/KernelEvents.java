package io.gpuflow.parse;

import io.gpuflow.parse.KernelLog.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises single lines of the kernel log. A line is looked at by a pattern only when it contains
 * the pattern's word.
 */
final class KernelEvents {
    // NVRM: Xid (PCI:0000:05:00): 79, pid=1234, name=python, GPU has fallen off the bus.
    // NVRM: Xid (PCI:0000:05:00 GPU-I:05 GPU-CI:00): 31, pid='<unknown>', …
    private static final Pattern XID =
            Pattern.compile("NVRM: Xid \\(((?:PCI:)?[0-9a-fA-F:.]+)[^)]*\\): (\\d{1,5}), ?(.*)");
    // nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 30 LTSSM Fault Up
    private static final Pattern SXID =
            Pattern.compile("(nvidia-nvswitch\\d+): SXid \\([^)]*\\): (\\d{1,6}), ?(.*)");
    // pcieport 0000:00:03.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer
    private static final Pattern AER =
            Pattern.compile(
                    "\\S+ ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]):.*(?:PCIe Bus Error: severity="
                            + "|AER: .*[eE]rror (?:message )?received|AER: (?:device recovery failed"
                            + "|can't recover)|DPC: containment event|Slot\\(\\S+\\): Link Down).*");
    // pcieport 0000:00:03.0:    [ 5] SDES                   (First)
    private static final Pattern AER_BIT =
            Pattern.compile("\\S+ ([0-9a-f:.]{7,16}): +(\\[ ?\\d{1,2}\\] \\w+).*");
    private static final Pattern BUS_ID =
            Pattern.compile(
                    "\\b([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\\.[0-7])?|[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])\\b");
    // task python:1234 blocked for more than 120 seconds.
    private static final Pattern HUNG_TASK =
            Pattern.compile(
                    ".*\\btask \\S.*:\\d+ (?:<[^>]*> )?blocked for more than \\d+ seconds.*");
    // [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:3 pasid:32770, for process …)
    private static final Pattern AMD_PAGE_FAULT =
            Pattern.compile(".*\\[\\w*hub\\d*\\].*page fault.*");

    private final int limit;
    private final List<Event> events = new ArrayList<>();

    /** The kernel names the card on one line and its loss on another. */
    private String lastNamedGpu;

    /** The constraint of a kill stands on the line before the victim. */
    private Event constraint;

    KernelEvents(int limit) {
        this.limit = limit;
    }

    void line(String message, String time, int number) {
        if (events.size() >= limit) {
            return;
        }
        if (message.contains("NVRM") || message.contains("nvidia")) {
            nvidia(message, time, number);
        } else if (message.contains("oom-kill:")
                || message.contains("ill process")
                || message.contains("illed process")) {
            oom(message, time, number);
        } else if (message.contains("amdgpu") || message.contains("kfd")) {
            amd(message, time, number);
        }
        pcie(message, time, number);
        system(message, time, number);
    }

    List<Event> end() {
        flushConstraint();
        // The loss of a GPU that an Xid 79 reports is the same event.
        return events.stream()
                .filter(e -> !e.kind().equals("gpu-lost") || !hasXid79(e.device()))
                .toList();
    }

    private boolean hasXid79(String device) {
        return events.stream()
                .anyMatch(
                        e ->
                                Integer.valueOf(79).equals(e.code())
                                        && e.device() != null
                                        && e.device().equals(device));
    }

    private void nvidia(String message, String time, int number) {
        Matcher m;
        if ((m = XID.matcher(message)).find()) {
            String device = PciAddress.of(m.group(1));
            add("xid", Integer.valueOf(m.group(2)), device, message, time, number);
        } else if ((m = SXID.matcher(message)).find()) {
            add("sxid", Integer.valueOf(m.group(2)), m.group(1), message, time, number);
        } else if (message.contains("fallen off the bus")) {
            String named = address(message);
            add("gpu-lost", null, named != null ? named : lastNamedGpu, message, time, number);
        } else if (message.contains("NVRM: The NVIDIA GPU ")) {
            lastNamedGpu = address(message);
        } else if (message.contains("NVRM: API mismatch")) {
            add("driver-mismatch", null, null, message, time, number);
        } else if (message.contains("knvlink") && message.contains("Failed")) {
            add("nvlink", null, null, message, time, number);
        } else if (message.contains("nvidia-peermem") && message.contains("ERROR")) {
            add("peermem", null, null, message, time, number);
        }
    }

    private void amd(String message, String time, int number) {
        String kind = null;
        if (message.contains("uncorrectable hardware errors")
                || message.contains("deferred hardware errors")
                || message.contains("poison is consumed")
                || message.contains("Poison is created")
                || message.contains("reaches threshold value")) {
            kind = "gpu-ras";
        } else if (message.contains(" correctable hardware errors")) {
            kind = "gpu-ras-corrected";
        } else if (AMD_PAGE_FAULT.matcher(message).matches()) {
            kind = "gpu-page-fault";
        } else if (message.contains("GPU reset begin")
                || message.contains("reset failed")
                || message.contains("unrecoverable state")
                || message.matches(".*GPU reset\\(\\d+\\) failed.*")) {
            kind = "gpu-reset";
        } else if (message.contains("GPU hang")
                || message.contains("qcm fence wait loop timeout")
                || message.contains("Queue preemption failed")
                || message.contains("Failed to evict process queues")) {
            kind = "gpu-hang";
        } else if (message.contains("Fatal error during GPU init")) {
            kind = "gpu-init";
        } else if (message.contains("GPU is throttled")) {
            kind = "gpu-throttle";
        }
        if (kind != null) {
            add(kind, null, address(message), message, time, number);
        }
    }

    private void oom(String message, String time, int number) {
        if (message.contains("oom-kill:constraint=")) {
            flushConstraint();
            constraint = event("oom", null, null, message, time, number);
            return;
        }
        boolean kill =
                message.contains("ut of memory: Kill") || message.startsWith("Killed process");
        if (kill) {
            String why = constraint == null ? "" : "  [" + constraint.text() + "]";
            add("oom", null, null, message + why, time, number);
            constraint = null;
        }
    }

    private void flushConstraint() {
        if (constraint != null) {
            events.add(constraint);
            constraint = null;
        }
    }

    private void pcie(String message, String time, int number) {
        Matcher m;
        if (message.contains("AER")
                || message.contains("PCIe Bus Error")
                || message.contains("DPC:")
                || message.contains("Link Down")) {
            if ((m = AER.matcher(message)).matches()) {
                if (message.contains("PCIe Bus Error")) {
                    dropAnnouncement(number);
                }
                add("aer", null, PciAddress.of(m.group(1)), message, time, number);
            }
        } else if (message.contains("] ") && (m = AER_BIT.matcher(message)).matches()) {
            detail(PciAddress.of(m.group(1)), m.group(2));
        } else if (message.contains("IO_PAGE_FAULT")
                || (message.contains("DMAR: [") && message.contains("fault addr"))) {
            add("iommu", null, faultingDevice(message), message, time, number);
        }
    }

    private void system(String message, String time, int number) {
        if (message.contains("blocked for more than") && HUNG_TASK.matcher(message).matches()) {
            add("hung-task", null, null, message, time, number);
        } else if (message.contains("soft lockup")
                || message.contains("hard LOCKUP")
                || message.contains("self-detected stall")
                || message.contains("detected stalls on CPUs")) {
            add("lockup", null, null, message, time, number);
        } else if (message.contains("mlx5_core")
                && (message.contains("insufficient power")
                        || message.contains("Cable error")
                        || message.contains("High Temperature")
                        || message.contains("firmware internal error"))) {
            add("nic", null, address(message), message, time, number);
        } else if (message.contains("segfault at")
                && (message.contains("libnccl") || message.contains("librccl"))) {
            add("segfault", null, null, message, time, number);
        } else if (message.contains("mce: [Hardware Error]")) {
            add("mce", null, null, message, time, number);
        }
    }

    /** The root port announces an error on the line before the one that describes it. */
    private void dropAnnouncement(int number) {
        int last = events.size() - 1;
        if (last >= 0
                && events.get(last).line() >= number - 2
                && events.get(last).text().contains(" received")) {
            events.remove(last);
        }
    }

    /** Adds the name of an error bit to the AER event of the same device just before it. */
    private void detail(String device, String bit) {
        int last = events.size() - 1;
        if (last >= 0 && events.get(last).kind().equals("aer") && device != null) {
            Event e = events.get(last);
            if (device.equals(e.device())) {
                String text = KernelLog.shortened(e.text() + "  " + bit);
                events.set(last, new Event("aer", null, device, text, e.time(), e.line()));
            }
        }
    }

    /** AMD-Vi says device=01:00.0, DMAR says Request device [3d:00.0]. */
    private static String faultingDevice(String message) {
        int at = Math.max(message.indexOf("device="), message.indexOf("evice ["));
        return at < 0 ? address(message) : address(message.substring(at + 7));
    }

    private static String address(String message) {
        Matcher m = BUS_ID.matcher(message);
        return m.find() ? PciAddress.of(m.group(1)) : null;
    }

    private void add(String kind, Integer code, String device, String text, String time, int line) {
        events.add(event(kind, code, device, text, time, line));
    }

    private static Event event(
            String kind, Integer code, String device, String text, String time, int line) {
        return new Event(kind, code, device, KernelLog.shortened(text), time, line);
    }
}
