package io.gpuflow.report;

import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Imex;
import io.gpuflow.facts.KernelModule;
import io.gpuflow.facts.KernelSetting;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.PcieAcs;
import io.gpuflow.facts.Service;
import io.gpuflow.facts.Software;
import io.gpuflow.facts.Torch;
import io.gpuflow.report.GpuLines.Line;
import java.util.ArrayList;
import java.util.List;

/** Adapters, software and settings. */
final class SoftwareLines {
    private final List<Fact> facts;
    private final List<Line> lines = new ArrayList<>();

    private SoftwareLines(List<Fact> facts) {
        this.facts = facts;
    }

    static List<Line> of(List<Fact> facts) {
        SoftwareLines all = new SoftwareLines(facts);
        all.adapters();
        all.services();
        all.modules();
        all.torch();
        all.software();
        all.settings();
        return all.lines;
    }

    private void adapters() {
        for (Nic n : all(Nic.class)) {
            List<String> words = new ArrayList<>(List.of(n.name()));
            add(words, n.state());
            add(words, n.rateGbps() == null ? null : Amount.number(n.rateGbps()) + " Gb/s");
            add(words, n.linkLayer());
            add(words, n.numaNode() == null ? null : "NUMA node " + n.numaNode());
            lines.add(new Line("adapter", String.join(", ", words)));
        }
    }

    private void services() {
        List<String> words =
                all(Service.class).stream()
                        .map(
                                s ->
                                        s.name()
                                                + " "
                                                + s.state()
                                                + (s.version() == null
                                                        ? ""
                                                        : " (" + s.version() + ")"))
                        .toList();
        line("services", words);
        for (Imex i : all(Imex.class)) {
            lines.add(
                    new Line(
                            "IMEX",
                            "domain "
                                    + i.domainState()
                                    + ", "
                                    + i.nodesReady()
                                    + " of "
                                    + i.nodes()
                                    + " nodes ready"));
        }
    }

    private void modules() {
        line(
                "modules",
                all(KernelModule.class).stream()
                        .filter(KernelModule::loaded)
                        .map(m -> m.name() + (m.version() == null ? "" : " " + m.version()))
                        .toList());
        long redirecting = all(PcieAcs.class).stream().filter(PcieAcs::redirect).count();
        if (redirecting > 0) {
            lines.add(new Line("ACS", redirecting + " PCIe bridge(s) redirect peer traffic"));
        }
    }

    private void torch() {
        for (Torch t : all(Torch.class)) {
            List<String> words = new ArrayList<>();
            words.add(t.version());
            add(words, t.cuda() == null ? null : "CUDA " + t.cuda());
            add(words, t.hip() == null ? null : "HIP " + t.hip());
            add(words, t.ncclVersion() == null ? null : "NCCL " + t.ncclVersion());
            add(words, Boolean.TRUE.equals(t.glooAvailable()) ? "gloo" : null);
            add(words, t.deviceCount() == null ? null : Recap.count(t.deviceCount(), "device"));
            add(words, t.python());
            lines.add(new Line("torch", String.join(", ", words)));
        }
    }

    private void software() {
        for (Software s : all(Software.class)) {
            lines.add(
                    new Line(
                            "software",
                            s.name()
                                    + " "
                                    + (s.version() == null ? "" : s.version() + " ")
                                    + s.where()));
        }
    }

    private void settings() {
        for (EnvVar v : all(EnvVar.class)) {
            lines.add(new Line("setting", v.name() + "=" + v.value() + " (" + v.where() + ")"));
        }
        line(
                "kernel",
                all(KernelSetting.class).stream().map(k -> k.name() + " " + k.value()).toList());
    }

    private void line(String label, List<String> words) {
        if (!words.isEmpty()) {
            lines.add(new Line(label, String.join(", ", words)));
        }
    }

    private <T extends Fact> List<T> all(Class<T> type) {
        return facts.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void add(List<String> words, String word) {
        if (word != null) {
            words.add(word);
        }
    }
}
