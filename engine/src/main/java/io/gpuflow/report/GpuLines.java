package io.gpuflow.report;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.GpuProcess;
import io.gpuflow.facts.NvLinkErrors;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Visibility;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The GPUs and how they are joined. */
final class GpuLines {
    /** A line of the table. */
    record Line(String label, String words) {}

    private final List<Fact> facts;
    private final List<Line> lines = new ArrayList<>();

    private GpuLines(List<Fact> facts) {
        this.facts = facts;
    }

    static List<Line> of(List<Fact> facts) {
        GpuLines all = new GpuLines(facts);
        all.gpus();
        all.links();
        all.nvlinks();
        all.peers();
        all.fabric();
        all.processes();
        all.visible();
        return all.lines;
    }

    private void gpus() {
        for (Gpu g : all(Gpu.class)) {
            List<String> words = new ArrayList<>();
            words.add(g.model() == null ? "GPU" : g.model());
            add(words, g.memoryBytes() == null ? null : Amount.bytes(g.memoryBytes()));
            add(words, g.computeCapability());
            add(words, g.busId());
            add(words, g.numaNode() == null ? null : "NUMA node " + g.numaNode());
            all(PcieLink.class).stream()
                    .filter(p -> p.gpu() == g.index())
                    .forEach(p -> add(words, pcie(p)));
            all(GpuHealth.class).stream()
                    .filter(h -> h.gpu() == g.index())
                    .forEach(h -> health(words, h));
            lines.add(new Line("GPU " + g.index(), String.join(", ", words)));
        }
    }

    private static String pcie(PcieLink p) {
        String now = "PCIe " + gen(p.genNow()) + " x" + width(p.widthNow());
        boolean less =
                p.genMax() != null && !p.genMax().equals(p.genNow())
                        || p.widthMax() != null && !p.widthMax().equals(p.widthNow());
        return less ? now + " (at most " + gen(p.genMax()) + " x" + width(p.widthMax()) + ")" : now;
    }

    private static String gen(Integer generation) {
        return generation == null ? "?" : "gen " + generation;
    }

    private static String width(Integer width) {
        return width == null ? "?" : width.toString();
    }

    private static void health(List<String> words, GpuHealth h) {
        add(words, h.temperatureC() == null ? null : h.temperatureC() + " °C");
        if (h.powerW() != null) {
            String limit = h.powerLimitW() == null ? "" : " of " + Math.round(h.powerLimitW());
            words.add(Math.round(h.powerW()) + limit + " W");
        }
        if (h.throttleReasons() != null && !h.throttleReasons().isEmpty()) {
            words.add("slowed by " + String.join(" and ", h.throttleReasons()));
        }
    }

    private void links() {
        for (Topology t : all(Topology.class)) {
            Map<String, List<String>> pairs = new LinkedHashMap<>();
            for (GpuPair p : all(GpuPair.class)) {
                pairs.computeIfAbsent(String.valueOf(p.link()), l -> new ArrayList<>())
                        .add(p.a() + "-" + p.b());
            }
            List<String> words = new ArrayList<>();
            pairs.forEach(
                    (link, of) ->
                            words.add(link + " " + (pairs.size() == 1 ? "between all" : some(of))));
            String joined = words.isEmpty() ? "" : ": " + String.join(", ", words);
            lines.add(new Line("links", t.linkClass().label() + joined));
        }
    }

    private static String some(List<String> pairs) {
        return pairs.size() <= 6
                ? String.join(" ", pairs)
                : String.join(" ", pairs.subList(0, 6)) + " … (" + pairs.size() + " pairs)";
    }

    private void nvlinks() {
        Map<String, List<Integer>> states = new LinkedHashMap<>();
        for (NvLinkState s : all(NvLinkState.class)) {
            String rate =
                    s.gbpsPerLink() == null
                            ? ""
                            : " at " + Amount.number(s.gbpsPerLink()) + " GB/s";
            String down =
                    s.linksDown() == null || s.linksDown() == 0
                            ? ""
                            : ", " + s.linksDown() + " down";
            states.computeIfAbsent(s.linksUp() + " up" + rate + down, k -> new ArrayList<>())
                    .add(s.gpu());
        }
        long errors =
                all(NvLinkErrors.class).stream()
                        .flatMap(e -> Stream.of(e.replay(), e.recovery(), e.crc(), e.effective()))
                        .filter(Objects::nonNull)
                        .mapToLong(Long::longValue)
                        .sum();
        String counted =
                all(NvLinkErrors.class).isEmpty()
                        ? ""
                        : errors == 0 ? ", no errors" : ", " + errors + " errors";
        states.forEach(
                (words, gpus) ->
                        lines.add(
                                new Line("NVLink", words + counted + whose(gpus, states.size()))));
    }

    private static String whose(List<Integer> gpus, int kinds) {
        return kinds == 1 ? " on each GPU" : " on GPU " + gpus;
    }

    private void peers() {
        Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
        for (P2pPair p : all(P2pPair.class)) {
            counts.computeIfAbsent(p.kind(), k -> new TreeMap<>())
                    .merge(String.valueOf(p.status()), 1, Integer::sum);
        }
        List<String> words = new ArrayList<>();
        counts.forEach(
                (kind, statuses) ->
                        words.add(
                                kind
                                        + " "
                                        + (statuses.size() == 1
                                                ? statuses.keySet().iterator().next()
                                                : statuses)));
        if (!words.isEmpty()) {
            lines.add(new Line("peer access", String.join(", ", words)));
        }
    }

    private void fabric() {
        Map<String, List<Integer>> states = new LinkedHashMap<>();
        for (GpuFabric f : all(GpuFabric.class)) {
            String status = f.status() == null ? "" : ", " + f.status();
            String health = f.health() == null ? "" : ", " + f.health();
            states.computeIfAbsent(f.state() + status + health, k -> new ArrayList<>())
                    .add(f.gpu());
        }
        states.forEach(
                (words, gpus) -> lines.add(new Line("fabric", words + whose(gpus, states.size()))));
    }

    private void processes() {
        for (GpuProcess p : all(GpuProcess.class)) {
            String memory = p.memoryBytes() == null ? "" : ", " + Amount.bytes(p.memoryBytes());
            lines.add(
                    new Line(
                            "in use",
                            "GPU " + p.gpu() + " by " + p.name() + " (pid " + p.pid() + ")"
                                    + memory));
        }
    }

    private void visible() {
        for (Visibility v : all(Visibility.class)) {
            String gpus =
                    v.physical() == null
                            ? "not known which GPUs"
                            : "GPUs " + v.physical() + " by local rank";
            lines.add(new Line("visible", v.variable() + "=" + v.value() + ": " + gpus));
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
