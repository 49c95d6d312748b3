package io.gpuflow.report;

import io.gpuflow.facts.Container;
import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.KernelEvent;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is known of a machine, a subject a line, and what is not, with the reason. */
public final class MachineTable {
    private static final int LABEL = 12;

    /** Of one kind; a machine with hundreds of kernel messages has the same trouble many times. */
    private static final int MOST = 8;

    private final List<Fact> facts;
    private final Terminal terminal;
    private final StringBuilder text = new StringBuilder();

    private MachineTable(List<Fact> facts, Terminal terminal) {
        this.facts = facts;
        this.terminal = terminal;
    }

    /** The whole table, lines ended by \n. */
    public static String of(List<Observed> observed, Terminal terminal) {
        List<Fact> facts = observed.stream().map(Observed::fact).toList();
        MachineTable table = new MachineTable(facts, terminal);
        table.host();
        table.driver();
        GpuLines.of(facts).forEach(table::line);
        SoftwareLines.of(facts).forEach(table::line);
        table.limits();
        table.kernelLog();
        table.unknown();
        return table.text.toString();
    }

    private void host() {
        for (Host h : all(Host.class)) {
            List<String> words = new ArrayList<>();
            add(words, h.name());
            add(words, h.kernel() == null ? null : "Linux " + h.kernel());
            add(words, h.cpus() == null ? null : h.cpus() + " CPUs");
            add(words, h.memoryBytes() == null ? null : Amount.bytes(h.memoryBytes()) + " memory");
            add(words, h.numaNodes() == null ? null : Recap.count(h.numaNodes(), "NUMA node"));
            line("machine", String.join(", ", words));
        }
        for (Container c : all(Container.class)) {
            String restricted = Boolean.TRUE.equals(c.restricted()) ? ", hides hardware" : "";
            String hints = c.hints().isEmpty() ? "" : " (" + String.join("; ", c.hints()) + ")";
            String kind = c.kind() == null ? "not known whether this is one" : c.kind();
            line("container", kind + restricted + hints);
        }
    }

    private void driver() {
        for (Driver d : all(Driver.class)) {
            String cuda = d.cudaVersion() == null ? "" : ", CUDA up to " + d.cudaVersion();
            line("driver", d.vendor() + " " + d.version() + cuda);
        }
    }

    private void limits() {
        List<String> words =
                all(Limit.class).stream()
                        .filter(l -> l.value() != null)
                        .map(l -> l.name() + " " + amount(l))
                        .toList();
        if (!words.isEmpty()) {
            line("limits", String.join(", ", words));
        }
    }

    private static String amount(Limit limit) {
        if (limit.value() < 0) {
            return "unlimited";
        }
        return "bytes".equals(limit.unit())
                ? Amount.bytes(limit.value())
                : String.valueOf(limit.value());
    }

    private void kernelLog() {
        List<KernelEvent> events = all(KernelEvent.class);
        events.stream()
                .limit(MOST)
                .forEach(
                        e ->
                                line(
                                        "kernel log",
                                        (e.time() == null ? "" : e.time() + "  ") + e.text()));
        if (events.size() > MOST) {
            line("", "… and " + (events.size() - MOST) + " more (--json has all)");
        }
        boolean read = all(Known.class).stream().anyMatch(k -> k.what().equals("KernelEvent"));
        if (events.isEmpty() && read) {
            line("kernel log", "nothing about GPUs, links or memory");
        }
    }

    /** One paragraph a reason: a missing tool leaves many things unknown. */
    private void unknown() {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (Unknown u : all(Unknown.class)) {
            byReason.computeIfAbsent(reason(u), w -> new ArrayList<>()).add(u.what());
        }
        byReason.forEach((why, what) -> line("unknown", String.join(", ", what) + ": " + why));
        if (facts.isEmpty()) {
            line("unknown", "nothing was told");
        }
    }

    /** A recording names each question that it does not answer; here they are one reason. */
    private static String reason(Unknown unknown) {
        boolean unrecorded =
                Stream.of(unknown.why().split("; "))
                        .allMatch(
                                w ->
                                        w.contains("not in the recording")
                                                || w.startsWith("the recording "));
        return unrecorded ? "not in the recording (--json names the questions)" : unknown.why();
    }

    private void line(String label, String words) {
        String head =
                terminal.style().bold(label) + " ".repeat(Math.max(1, LABEL - label.length()));
        for (String line : new Wrap(terminal.width()).hanging(head, LABEL, SafeText.line(words))) {
            text.append(line).append('\n');
        }
    }

    private void line(GpuLines.Line line) {
        line(line.label(), line.words());
    }

    private <T extends Fact> List<T> all(Class<T> type) {
        return facts.stream().filter(type::isInstance).map(type::cast).collect(Collectors.toList());
    }

    private static void add(List<String> words, String word) {
        if (word != null) {
            words.add(word);
        }
    }
}
