package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/**
 * When no tool tells the GPUs: whether the PCI bus has any. It makes the difference between a
 * machine without GPUs and one whose driver does not work.
 */
final class PciPresence implements FollowUp {
    /** One line a device: bus and function, then vendor and device id, both in hexadecimal. */
    private static final String DEVICES = "/proc/bus/pci/devices";

    @Override
    public String name() {
        return "pci-devices";
    }

    @Override
    public List<Observed> ask(Tools tools, List<Observed> known) {
        if (known.stream().anyMatch(o -> o.fact() instanceof Gpu)) {
            return List.of();
        }
        FileResult devices = tools.read(DEVICES);
        if (!devices.ok()) {
            return List.of();
        }
        long nvidia = count(devices.text(), "10de");
        long amd = count(devices.text(), "1002");
        List<String> found = new ArrayList<>();
        if (nvidia > 0) {
            found.add(nvidia + " NVIDIA device(s)");
        }
        if (amd > 0) {
            found.add(amd + " AMD GPU device(s)");
        }
        String why =
                found.isEmpty()
                        ? "the PCI bus has no NVIDIA or AMD GPU"
                        : "the PCI bus has " + String.join(" and ", found);
        return List.of(Answer.unknown("Gpu", why, DEVICES));
    }

    private static long count(String text, String vendor) {
        return text.lines()
                .filter(l -> l.matches("[0-9a-f]{4}\\s" + vendor + "[0-9a-f]{4}\\s.*"))
                .count();
    }
}
