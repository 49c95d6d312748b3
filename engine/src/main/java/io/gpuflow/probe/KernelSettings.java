package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.KernelSetting;
import io.gpuflow.facts.Observed;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/** Settings of the running kernel that decide how GPUs reach each other and memory. */
final class KernelSettings implements Probe {
    private static final String[][] FILES = {
        {"numa_balancing", "/proc/sys/kernel/numa_balancing"},
        {"dmesg_restrict", "/proc/sys/kernel/dmesg_restrict"},
        {"pcie_aspm", "/sys/module/pcie_aspm/parameters/policy"},
    };

    @Override
    public String name() {
        return "kernel-settings";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        List<Observed> facts = new ArrayList<>();
        for (String[] setting : FILES) {
            FileResult file = tools.read(setting[1]);
            if (file.ok()) {
                String value = chosen(file.text().strip());
                facts.add(Answer.known(new KernelSetting(setting[0], value), setting[1]));
            } else if (!file.absent()) {
                String what = "KernelSetting(" + setting[0] + ")";
                facts.add(Answer.unknown(what, Failure.of(file), setting[1]));
            }
        }
        facts.add(iommu(tools));
        return facts;
    }

    /** Of "[default] performance powersave" the one in brackets. */
    private static String chosen(String text) {
        int open = text.indexOf('[');
        int close = text.indexOf(']', open + 1);
        return open >= 0 && close > open ? text.substring(open + 1, close) : text;
    }

    /**
     * off when the kernel has no IOMMU, passthrough when devices see physical addresses, else
     * translated. The type of the first group stands for all; a GPU's own group may differ only
     * where somebody set it by hand.
     */
    private static Observed iommu(Tools tools) {
        String source = "/sys/class/iommu/*";
        try {
            if (tools.glob(source).isEmpty()) {
                return Answer.known(new KernelSetting("iommu", "off"), source);
            }
        } catch (Tools.NotKnown e) {
            return Answer.unknown("KernelSetting(iommu)", e.getMessage(), source);
        }
        FileResult type = tools.read("/sys/kernel/iommu_groups/0/type");
        if (type.ok()) {
            String mode = type.text().strip().equals("identity") ? "passthrough" : "translated";
            return Answer.known(new KernelSetting("iommu", mode), type.path());
        }
        FileResult line = tools.read("/proc/cmdline");
        if (line.ok() && (" " + line.text()).matches("(?s).* iommu(\\.passthrough=1|=pt)\\s.*")) {
            return Answer.known(new KernelSetting("iommu", "passthrough"), "/proc/cmdline");
        }
        return Answer.unknown("KernelSetting(iommu)", Failure.of(type), type.path());
    }
}
