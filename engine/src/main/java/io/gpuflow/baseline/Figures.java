package io.gpuflow.baseline;

import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineSoftware;
import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.KernelSetting;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Software;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Torch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Takes out of facts what a baseline keeps. What is not known is left out. */
public final class Figures {
    private final String day;
    private final Map<String, BaselineSoftware> software = new LinkedHashMap<>();
    private final Map<String, BaselineBench> benches = new LinkedHashMap<>();
    private final Map<String, BaselineFigure> figures = new LinkedHashMap<>();

    private Figures(String day) {
        this.day = day;
    }

    /**
     * @param saved UTC time, ISO 8601
     * @param from what the facts were taken from
     */
    public static Baseline of(Collection<? extends Fact> facts, String saved, String from) {
        Figures figures = new Figures(saved.length() < 10 ? saved : saved.substring(0, 10));
        facts.forEach(figures::take);
        Identity machine = Identity.of(facts);
        return new Baseline(
                saved,
                from,
                machine.host(),
                machine.gpus(),
                new ArrayList<>(figures.software.values()),
                new ArrayList<>(figures.benches.values()),
                new ArrayList<>(figures.figures.values()));
    }

    private void take(Fact fact) {
        if (fact instanceof Bench b) {
            bench(b);
        } else if (fact instanceof Driver d) {
            version("driver", d.version());
        } else if (fact instanceof Torch t) {
            version("torch", t.version());
        } else if (fact instanceof Software s) {
            version(s.name(), s.version());
        } else if (fact instanceof Topology t) {
            word("link_class", null, t.linkClass() == null ? null : t.linkClass().label());
        } else if (fact instanceof Host h) {
            version("kernel", h.kernel());
            number("host_memory_bytes", null, h.memoryBytes());
            number("cpus", null, h.cpus());
        } else if (fact instanceof KernelSetting k && k.name().equals("iommu")) {
            word("iommu", null, k.value());
        } else {
            ofGpu(fact);
        }
    }

    private void ofGpu(Fact fact) {
        if (fact instanceof Gpu g) {
            number("gpu_memory_bytes", g.index(), g.memoryBytes());
        } else if (fact instanceof NvLinkState n) {
            number("nvlinks_up", n.gpu(), n.linksUp());
        } else if (fact instanceof PcieLink p) {
            number("pcie_width", p.gpu(), p.widthNow());
            number("pcie_gen_max", p.gpu(), p.genMax());
        } else if (fact instanceof GpuHealth h) {
            number("power_limit_w", h.gpu(), h.powerLimitW());
            number("sm_clock_max_mhz", h.gpu(), h.smClockMaxMhz());
        } else if (fact instanceof GpuMemoryErrors e && e.eccEnabled() != null) {
            word("ecc", e.gpu(), e.eccEnabled() ? "on" : "off");
        }
    }

    /** Only what ran to its end with right results is worth comparing with. */
    private void bench(Bench b) {
        boolean healthy =
                Boolean.TRUE.equals(b.completed()) && (b.wrong() == null || b.wrong() == 0);
        if (healthy && b.ranks() > 1 && b.largeBusbwGbps() != null) {
            benches.put(
                    b.op() + b.ranks() + b.tool(),
                    new BaselineBench(
                            b.op(),
                            b.ranks(),
                            b.tool(),
                            b.largeBusbwGbps(),
                            b.largeBytes(),
                            b.transport(),
                            day));
        }
    }

    private void version(String name, String version) {
        if (version != null) {
            software.put(name + " " + version, new BaselineSoftware(name, version, day));
        }
    }

    private void number(String figure, Integer gpu, Number value) {
        if (value != null) {
            figures.put(
                    figure + gpu, new BaselineFigure(figure, gpu, value.doubleValue(), null, day));
        }
    }

    private void word(String figure, Integer gpu, String value) {
        if (value != null) {
            figures.put(figure + gpu, new BaselineFigure(figure, gpu, null, value, day));
        }
    }
}
