package io.gpuflow.report;

import io.gpuflow.baseline.Baseline;
import io.gpuflow.baseline.Changes;
import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineSoftware;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A baseline, and what has changed since, for a person. */
public final class BaselineText {
    private BaselineText() {}

    /** What was kept; figures that all GPUs share stand once. */
    public static List<String> lines(Baseline b) {
        List<String> lines = new ArrayList<>();
        lines.add("saved     " + SafeText.line(b.saved()) + " from " + SafeText.line(b.from()));
        Map<String, List<Integer>> models = new LinkedHashMap<>();
        for (Baseline.Gpu gpu : b.gpus()) {
            String model = gpu.model() == null ? "a GPU" : gpu.model();
            models.computeIfAbsent(model, k -> new ArrayList<>()).add(gpu.index());
        }
        models.forEach(
                (m, gpus) -> lines.add("GPUs      " + gpus.size() + " × " + SafeText.line(m)));
        for (BaselineBench bench : b.benches()) {
            String over = bench.transport() == null ? "" : " over " + bench.transport();
            String text =
                    bench.op()
                            + " on "
                            + bench.ranks()
                            + " GPUs: "
                            + number(bench.largeBusbwGbps())
                            + " GB/s"
                            + over
                            + " ("
                            + bench.tool()
                            + ")";
            lines.add("bandwidth " + SafeText.line(text));
        }
        Map<String, String> versions = new TreeMap<>();
        for (BaselineSoftware s : b.software()) {
            versions.merge(s.name(), s.version(), (x, y) -> x + ", " + y);
        }
        versions.forEach((n, v) -> lines.add("version   " + SafeText.line(n + " " + v)));
        Map<String, List<Integer>> figures = new LinkedHashMap<>();
        for (BaselineFigure f : b.figures()) {
            Object value = f.number() != null ? f.number() : f.text();
            String text = words(f.figure()) + " " + value(f.figure(), value);
            List<Integer> of = figures.computeIfAbsent(text, k -> new ArrayList<>());
            if (f.gpu() != null) {
                of.add(f.gpu());
            }
        }
        figures.forEach(
                (text, gpus) ->
                        lines.add(
                                "figure    "
                                        + SafeText.line(text)
                                        + (gpus.isEmpty() ? "" : "  (GPU " + gpus(gpus) + ")")));
        return lines;
    }

    /** The machine of a baseline in a line: 2026-11-20, 8 × NVIDIA H200. */
    public static String oneLine(Baseline b) {
        Map<String, Integer> models = new LinkedHashMap<>();
        b.gpus().forEach(g -> models.merge(String.valueOf(g.model()), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        models.forEach((model, n) -> words.add(n + " × " + model));
        return SafeText.line(b.day() + ", " + String.join(", ", words));
    }

    /** What changed, then what could not be compared. */
    public static List<String> lines(Changes changes) {
        List<String> lines = new ArrayList<>();
        for (Changes.Change c : changes.changed()) {
            String share =
                    c.share() == null
                            ? ""
                            : String.format(Locale.ROOT, "  (%+.1f %%)", 100 * c.share());
            lines.add(
                    SafeText.line(
                            "changed  "
                                    + words(c.what())
                                    + (c.of().isEmpty() ? "" : ", " + c.of())
                                    + ": "
                                    + value(c.what(), c.was())
                                    + " → "
                                    + value(c.what(), c.now())
                                    + share));
        }
        Map<String, Integer> notKnown = new LinkedHashMap<>();
        for (Changes.Change c : changes.notKnown()) {
            notKnown.merge(words(c.what()), 1, Integer::sum);
        }
        notKnown.forEach(
                (what, n) ->
                        lines.add(
                                SafeText.line(
                                        "unknown  "
                                                + what
                                                + (n == 1 ? "" : " (" + n + " figures)")
                                                + ": not measured or not told this time")));
        lines.add(
                changes.same()
                        + " figures are as they were, "
                        + changes.changed().size()
                        + " changed, "
                        + changes.notKnown().size()
                        + " could not be compared");
        return lines;
    }

    private static String words(String figure) {
        return switch (figure) {
            case "busbw_gbps" -> "bus bandwidth";
            case "link_class" -> "links";
            case "nvlinks_up" -> "NVLinks up";
            case "pcie_width" -> "PCIe lanes";
            case "pcie_gen_max" -> "PCIe generation";
            case "power_limit_w" -> "power limit";
            case "sm_clock_max_mhz" -> "highest clock";
            case "gpu_memory_bytes" -> "GPU memory";
            case "host_memory_bytes" -> "host memory";
            case "gpu" -> "card";
            case "cpus" -> "CPUs";
            case "ecc", "iommu" -> figure.toUpperCase(Locale.ROOT);
            default -> figure.replace('_', ' ');
        };
    }

    private static String value(String figure, Object value) {
        if (!(value instanceof Double number)) {
            return String.valueOf(value);
        }
        if (figure.endsWith("_bytes")) {
            return Amount.bytes(number.longValue());
        }
        String unit =
                figure.endsWith("_gbps")
                        ? " GB/s"
                        : figure.endsWith("_w") ? " W" : figure.endsWith("_mhz") ? " MHz" : "";
        return number(number) + unit;
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
    }

    private static String gpus(List<Integer> gpus) {
        List<Integer> sorted = gpus.stream().sorted().toList();
        int first = sorted.get(0);
        int last = sorted.get(sorted.size() - 1);
        boolean range = sorted.size() > 1 && last - first == sorted.size() - 1;
        return range
                ? first + "-" + last
                : String.join(", ", sorted.stream().map(String::valueOf).toList());
    }
}
