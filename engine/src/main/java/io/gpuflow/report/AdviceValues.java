package io.gpuflow.report;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.Placement;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.StepTime;
import io.gpuflow.advise.TimeLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What advise found, as plain values for JSON. GiB are 2³⁰ bytes. */
public final class AdviceValues {
    private static final double GIB = 1L << 30;

    private AdviceValues() {}

    public static Map<String, Object> of(
            Request request, List<Candidate> candidates, List<String> assumed) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("gpuflow", 1);
        all.put("model", model(request.model()));
        all.put("gpus", request.gpus());
        all.put("gpu_memory_gib", request.gpuMemory() == null ? null : gib(request.gpuMemory()));
        all.put("assumed", assumed);
        List<Object> list = new ArrayList<>();
        candidates.forEach(c -> list.add(candidate(c)));
        all.put("candidates", list);
        boolean any =
                !candidates.isEmpty()
                        && !candidates.get(0).forbidden()
                        && !Boolean.FALSE.equals(candidates.get(0).fits());
        all.put("chosen", any ? 0 : null);
        return all;
    }

    private static Map<String, Object> model(ModelShape m) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("family", m.family());
        values.put("parameters", m.parameters().total());
        values.put("active_parameters", m.parameters().active());
        values.put("assumed", m.assumed());
        return values;
    }

    private static Map<String, Object> candidate(Candidate c) {
        Layout l = c.layout();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("strategy", l.strategy());
        values.put("strategy_option", l.option());
        values.put("fits", c.fits());
        values.put("peak_gib", peak(c.peak()));
        values.put("peak_phase", c.peak().phase());
        values.put("step_seconds", c.stepSeconds());
        values.put("comm_seconds", c.commSeconds());
        values.put("micro_batch", c.workload().microBatch());
        values.put("accumulation", l.accumulation());
        values.put("global_batch", (long) c.workload().microBatch() * l.dp() * l.accumulation());
        values.put("seq", c.workload().seq());
        values.put("precision", c.workload().precision().word());
        values.put("optimizer", c.workload().optimizer().word());
        values.put("attention", c.workload().attention().word());
        values.put("recompute", c.workload().recompute());
        values.put("parallel", parallel(l));
        values.put("forbidden", c.forbidden());
        if (c.time() != null) {
            values.put("time", time(c.time()));
        }
        if (c.placement() != null) {
            values.put("placement", placement(c.placement()));
        }
        values.put("because", c.because());
        if (!c.peak().lines().isEmpty()) {
            values.put("explain", c.peak().lines().stream().map(AdviceValues::line).toList());
        }
        List<Object> files = new ArrayList<>();
        c.files().forEach(f -> files.add(Map.of("name", f.name(), "text", f.text())));
        values.put("files", files);
        return values;
    }

    private static Map<String, Object> time(StepTime t) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("compute_seconds", t.compute());
        values.put("exposed_comm_seconds", t.exposed());
        values.put("bubble_seconds", t.bubble());
        values.put("tokens_per_second", t.tokensPerSecond());
        values.put("host_bound", t.hostBound());
        List<Object> lines = new ArrayList<>();
        for (TimeLine line : t.lines()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("text", line.text());
            one.put("seconds", Double.isNaN(line.seconds()) ? null : line.seconds());
            one.put("formula", line.formula());
            lines.add(one);
        }
        values.put("explain", lines);
        return values;
    }

    private static Map<String, Object> placement(Placement p) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("nodes", p.nodes());
        values.put("gpus_by_local_rank", p.gpus());
        Map<String, Object> groups = new LinkedHashMap<>();
        p.groups().forEach(g -> groups.put(g.dimension(), g.gpus()));
        values.put("groups", groups);
        return values;
    }

    private static Map<String, Object> parallel(Layout l) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("data", l.dp());
        values.put("shard", l.shard());
        values.put("tensor", l.tp());
        values.put("sequence", l.sequenceParallel());
        values.put("pipeline", l.pp());
        values.put("virtual_stages", l.virtualStages());
        values.put("context", l.cp());
        values.put("expert", l.ep());
        return values;
    }

    private static Map<String, Object> peak(PeakMemory p) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("states", gib(p.states()));
        values.put("activations", gib(p.activations()));
        values.put("logits", gib(p.logits()));
        values.put("transient", gib(p.temporary()));
        values.put("allocated", gib(p.allocated()));
        values.put("reserved", gib(p.reserved()));
        values.put("overhead", gib(p.overhead()));
        values.put("total", gib(p.total()));
        return values;
    }

    private static Map<String, Object> line(PeakMemory.Line line) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("text", line.text());
        values.put("gib", gib(line.bytes()));
        values.put("formula", line.formula());
        return values;
    }

    private static double gib(long bytes) {
        return Math.round(bytes / GIB * 10000) / 10000.0;
    }
}
