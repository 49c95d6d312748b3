package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** /sys/bus/pci: link speed and width of each GPU, now and at most, and its NUMA node. */
final class PciLinks implements FollowUp {
    // 32.0 GT/s PCIe      16.0 GT/s      Unknown
    private static final Pattern SPEED = Pattern.compile("(\\d{1,3}(?:\\.\\d)?) GT/s.*");

    @Override
    public String name() {
        return "pci-links";
    }

    @Override
    public List<Observed> ask(Tools tools, List<Observed> known) {
        TreeMap<Integer, Gpu> gpus = new TreeMap<>();
        for (Observed o : known) {
            if (o.fact() instanceof Gpu gpu && gpu.busId() != null) {
                gpus.putIfAbsent(gpu.index(), gpu);
            }
        }
        List<Observed> facts = new ArrayList<>();
        for (Gpu gpu : gpus.values()) {
            String folder = "/sys/bus/pci/devices/" + gpu.busId();
            Integer numa = OneLine.numaNode(tools, folder + "/numa_node");
            if (numa != null) {
                facts.add(
                        Answer.known(
                                new Gpu(
                                        gpu.index(),
                                        gpu.vendor(),
                                        null,
                                        null,
                                        null,
                                        null,
                                        null,
                                        numa),
                                folder + "/numa_node"));
            }
            PcieLink link =
                    new PcieLink(
                            gpu.index(),
                            generation(OneLine.of(tools, folder + "/current_link_speed")),
                            generation(OneLine.of(tools, folder + "/max_link_speed")),
                            width(OneLine.of(tools, folder + "/current_link_width")),
                            width(OneLine.of(tools, folder + "/max_link_width")));
            if (link.genNow() != null || link.widthNow() != null) {
                facts.add(Answer.known(link, folder));
            }
        }
        return facts;
    }

    private static Integer generation(String text) {
        Matcher m = SPEED.matcher(text == null ? "" : text);
        if (!m.matches()) {
            return null;
        }
        return switch (m.group(1)) {
            case "2.5" -> 1;
            case "5", "5.0" -> 2;
            case "8", "8.0" -> 3;
            case "16", "16.0" -> 4;
            case "32", "32.0" -> 5;
            case "64", "64.0" -> 6;
            default -> null;
        };
    }

    /** 255 is how the kernel says that it does not know. */
    private static Integer width(String text) {
        return text != null && text.matches("\\d{1,2}") && !text.equals("0")
                ? Integer.valueOf(text)
                : null;
    }
}
