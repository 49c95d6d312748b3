package io.gpuflow.report;

import io.gpuflow.baseline.Baseline;
import io.gpuflow.baseline.Changes;
import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A baseline, and what has changed since, for programs. */
public final class BaselineValues {
    private BaselineValues() {}

    public static Map<String, Object> of(Path file, Baseline b) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpuflow", 1);
        values.put("file", file.toString());
        values.put("saved", b.saved());
        values.put("from", b.from());
        List<Object> gpus = new ArrayList<>();
        for (Baseline.Gpu gpu : b.gpus()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("index", gpu.index());
            one.put("model", gpu.model());
            gpus.add(one);
        }
        values.put("gpus", gpus);
        List<Object> software = new ArrayList<>();
        b.software().forEach(s -> software.add(Map.of("name", s.name(), "version", s.version())));
        values.put("software", software);
        values.put("benches", b.benches().stream().map(BaselineValues::bench).toList());
        values.put("figures", b.figures().stream().map(BaselineValues::figure).toList());
        return values;
    }

    public static Map<String, Object> of(
            Path file, Baseline b, Changes changes, List<Verdict> verdicts) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpuflow", 1);
        values.put("file", file.toString());
        values.put("saved", b.saved());
        values.put("same", changes.same());
        values.put("changed", changes.changed().stream().map(BaselineValues::change).toList());
        values.put("unknown", changes.notKnown().stream().map(BaselineValues::change).toList());
        values.put("findings", VerdictValues.of(verdicts));
        return values;
    }

    private static Map<String, Object> bench(BaselineBench b) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("op", b.op());
        values.put("ranks", b.ranks());
        values.put("tool", b.tool());
        values.put("busbw_gbps", b.largeBusbwGbps());
        values.put("bytes", b.largeBytes());
        values.put("transport", b.transport());
        return values;
    }

    private static Map<String, Object> figure(BaselineFigure f) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("figure", f.figure());
        values.put("gpu", f.gpu());
        values.put("value", f.number() != null ? f.number() : f.text());
        return values;
    }

    private static Map<String, Object> change(Changes.Change c) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("what", c.what());
        values.put("of", c.of());
        values.put("was", c.was());
        values.put("now", c.now());
        values.put("share", c.share());
        return values;
    }
}
