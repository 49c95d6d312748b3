package io.gpuflow.parse;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.GpuProcess;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.PcieLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** One {@code <gpu>} element of nvidia-smi -q -x; names of older drivers are tried last. */
final class NvidiaSmiXmlGpu {
    /** Reasons that say nothing is wrong. */
    private static final Set<String> HARMLESS =
            Set.of("gpu_idle", "applications_clocks_setting", "display_clocks_setting");

    private final int index;
    private final XmlNode node;

    NvidiaSmiXmlGpu(int index, XmlNode node) {
        this.index = index;
        this.node = node;
    }

    Gpu gpu() {
        return new Gpu(
                index,
                "nvidia",
                word("product_name"),
                word("uuid"),
                PciAddress.of(node.attributes.get("id")),
                Quantity.bytes(at("fb_memory_usage/total")),
                null,
                null);
    }

    GpuMode mode() {
        return new GpuMode(
                index,
                word("compute_mode"),
                word("gpu_virtualization_mode/virtualization_mode"),
                word("gpu_recovery_action"),
                null);
    }

    GpuHealth health() {
        return new GpuHealth(
                index,
                Quantity.whole(at("temperature/gpu_temp")),
                Quantity.whole(at("temperature/gpu_temp_slow_threshold")),
                Quantity.number(power("instant_power_draw", "power_draw", "average_power_draw")),
                Quantity.number(power("current_power_limit", "power_limit")),
                Quantity.number(power("default_power_limit")),
                Quantity.whole(at("clocks/sm_clock")),
                Quantity.whole(at("max_clocks/sm_clock")),
                Quantity.flag(at("persistence_mode")),
                throttleReasons(),
                Quantity.whole(at("utilization/gpu_util")),
                Quantity.bytes(at("fb_memory_usage/used")));
    }

    GpuMemoryErrors memoryErrors() {
        return new GpuMemoryErrors(
                index,
                Quantity.flag(at("ecc_mode/current_ecc")),
                uncorrectable("volatile"),
                uncorrectable("aggregate"),
                correctable("volatile"),
                Quantity.flag(at("remapped_rows/remapped_row_pending")),
                Quantity.flag(at("remapped_rows/remapped_row_failure")),
                Quantity.count(at("remapped_rows/remapped_row_unc")),
                Quantity.flag(
                        first(
                                "retired_pages/pending_retirement",
                                "retired_pages/pending_blacklist")));
    }

    GpuFabric fabric() {
        return new GpuFabric(
                index,
                at("fabric/state"),
                word("fabric/status"),
                word("fabric/cliqueId"),
                word("fabric/clusterUuid"),
                fabricHealth());
    }

    PcieLink pcieLink() {
        String link = "pci/pci_gpu_link_info/";
        return new PcieLink(
                index,
                Quantity.whole(
                        first(
                                link + "pcie_gen/current_link_gen",
                                link + "pcie_gen/device_current_link_gen")),
                Quantity.whole(at(link + "pcie_gen/max_link_gen")),
                Quantity.whole(at(link + "link_widths/current_link_width")),
                Quantity.whole(at(link + "link_widths/max_link_width")));
    }

    Mig mig() {
        XmlNode devices = node.child("mig_devices");
        Integer count = null;
        if (devices != null) {
            count =
                    (int)
                            devices.children.stream()
                                    .filter(c -> c.name.equals("mig_device"))
                                    .count();
        }
        return new Mig(index, Quantity.flag(at("mig_mode/current_mig")), count, null);
    }

    List<GpuProcess> processes() {
        XmlNode list = node.child("processes");
        List<GpuProcess> found = new ArrayList<>();
        for (XmlNode p : list == null ? List.<XmlNode>of() : list.children) {
            Integer pid = Quantity.whole(p.at("pid"));
            if (pid != null) {
                found.add(
                        new GpuProcess(
                                index,
                                pid,
                                Quantity.word(p.at("process_name")),
                                Quantity.bytes(p.at("used_memory"))));
            }
        }
        return found;
    }

    /** The tool's own summary; else the rule by which newer drivers derive it from the rows. */
    private String fabricHealth() {
        String summary = word("fabric/health/summary");
        if (summary != null) {
            return summary;
        }
        String bandwidth = word("fabric/health/bandwidth");
        List<String> faults =
                Stream.of(
                                "route_recovery_in_progress",
                                "route_unhealthy",
                                "access_timeout_recovery")
                        .map(row -> word("fabric/health/" + row))
                        .toList();
        String configuration = word("fabric/health/incorrect_configuration");
        if (bandwidth == null
                && configuration == null
                && faults.stream().allMatch(f -> f == null)) {
            return null;
        }
        boolean wrong = configuration != null && !configuration.equalsIgnoreCase("none");
        if (wrong || faults.stream().anyMatch(f -> "true".equalsIgnoreCase(f))) {
            return "Unhealthy";
        }
        boolean degraded = bandwidth != null && !bandwidth.equalsIgnoreCase("full");
        return degraded ? "Limited Capacity" : "Healthy";
    }

    private List<String> throttleReasons() {
        XmlNode reasons = node.child("clocks_event_reasons");
        if (reasons == null) {
            reasons = node.child("clocks_throttle_reasons");
        }
        if (reasons == null) {
            return null;
        }
        List<String> active = new ArrayList<>();
        boolean told = false;
        for (XmlNode reason : reasons.children) {
            Boolean on = Quantity.flag(reason.text());
            told |= on != null;
            String name = reason.name.replaceFirst("^clocks_(event|throttle)_reason_", "");
            if (Boolean.TRUE.equals(on) && !HARMLESS.contains(name)) {
                active.add(name.toLowerCase(Locale.ROOT));
            }
        }
        return told ? active : null;
    }

    private Long uncorrectable(String span) {
        String ecc = "ecc_errors/" + span + "/";
        Long total = Quantity.count(at(ecc + "double_bit/total"));
        return total != null
                ? total
                : sum(
                        ecc + "dram_uncorrectable",
                        ecc + "sram_uncorrectable",
                        ecc + "sram_uncorrectable_parity",
                        ecc + "sram_uncorrectable_secded");
    }

    private Long correctable(String span) {
        String ecc = "ecc_errors/" + span + "/";
        Long total = Quantity.count(at(ecc + "single_bit/total"));
        return total != null ? total : sum(ecc + "dram_correctable", ecc + "sram_correctable");
    }

    /** The sum of what is there; null when nothing is. */
    private Long sum(String... paths) {
        Long sum = null;
        for (String path : paths) {
            Long value = Quantity.count(at(path));
            if (value != null) {
                sum = (sum == null ? 0 : sum) + value;
            }
        }
        return sum;
    }

    private String power(String... names) {
        for (String block : List.of("gpu_power_readings/", "power_readings/")) {
            for (String name : names) {
                String value = at(block + name);
                if (Quantity.number(value) != null) {
                    return value;
                }
            }
        }
        return null;
    }

    private String first(String... paths) {
        for (String path : paths) {
            if (word(path) != null) {
                return at(path);
            }
        }
        return null;
    }

    private String word(String path) {
        return Quantity.word(at(path));
    }

    private String at(String path) {
        return node.at(path);
    }
}
