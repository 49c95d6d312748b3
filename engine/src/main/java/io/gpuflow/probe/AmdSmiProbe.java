package io.gpuflow.probe;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.parse.AmdSmiMetric;
import io.gpuflow.parse.AmdSmiStatic;
import io.gpuflow.parse.RocmSmi;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code amd-smi}: what it says about each GPU; rocm-smi is asked when there is no amd-smi. */
final class AmdSmiProbe implements Probe {
    /** A Python program that asks each GPU; half a second for each on a slow machine. */
    static final Duration LIMIT = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "amd-smi";
    }

    @Override
    public String vendor() {
        return "amd";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of(
                Gpu.class,
                Driver.class,
                GpuHealth.class,
                GpuMemoryErrors.class,
                GpuMode.class,
                PcieLink.class);
    }

    @Override
    public List<Observed> ask(Tools tools) {
        Answer<AmdSmiStatic.Reading> fixed =
                Answer.of(
                        tools,
                        new AmdSmiStatic(),
                        call("amd-smi", "static", "-g", "all", "--json"));
        if (!fixed.ok()) {
            Answer<RocmSmi.Reading> old = Answer.of(tools, new RocmSmi(), rocmSmi());
            return old.ok() ? withRocmSmi(old, fixed) : fixed.facts(brings());
        }
        List<Observed> facts = new ArrayList<>(fixed.facts(brings()));
        Answer<AmdSmiStatic.Reading> list =
                Answer.of(tools, new AmdSmiStatic(), call("amd-smi", "list", "-e", "--json"));
        facts.addAll(list.facts(List.of()));
        Answer<AmdSmiMetric.Reading> metric =
                Answer.of(
                        tools,
                        new AmdSmiMetric(),
                        call("amd-smi", "metric", "-g", "all", "--json"));
        facts.addAll(metric.facts(List.of(GpuMemoryErrors.class)));
        return facts;
    }

    private static List<Observed> withRocmSmi(
            Answer<RocmSmi.Reading> old, Answer<AmdSmiStatic.Reading> fixed) {
        List<Observed> facts = new ArrayList<>(old.facts(List.of()));
        List<Class<? extends Fact>> open =
                List.of(GpuHealth.class, GpuMemoryErrors.class, GpuMode.class, PcieLink.class);
        facts.addAll(Answer.unknown(open, fixed.why(), fixed.source()));
        return facts;
    }

    private static ToolCall rocmSmi() {
        return call(
                "rocm-smi",
                "--showproductname",
                "--showuniqueid",
                "--showbus",
                "--showmeminfo",
                "vram",
                "--showdriverversion",
                "--json");
    }

    static ToolCall call(String... argv) {
        return ToolCall.of(LIMIT, argv);
    }
}
