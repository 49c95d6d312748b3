package io.gpuflow.step;

import io.gpuflow.expr.Value;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.probe.Survey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Asks the machine what it is. Passed even when little could be told: what is unknown stands in the
 * facts, with the reason, and the rules that rest on it say so.
 */
public final class ProbeStep implements Action {
    private final UnaryOperator<List<Observed>> remembered;

    public ProbeStep() {
        this(facts -> List.of());
    }

    /**
     * @param remembered facts kept of earlier times about the machine with these facts
     */
    public ProbeStep(UnaryOperator<List<Observed>> remembered) {
        this.remembered = remembered;
    }

    @Override
    public Outcome run(Context context) throws InterruptedException {
        Survey survey;
        try {
            survey = survey(context.with().get("only"));
        } catch (IllegalArgumentException e) {
            return new Outcome(State.BROKEN, e.getMessage(), List.of(), Map.of());
        }
        List<Observed> facts = survey.ask(context.tools(), context.lines());
        KnownFacts known = KnownFacts.of(facts);
        List<Observed> all = new ArrayList<>(facts);
        all.addAll(remembered.apply(facts));
        return new Outcome(State.PASSED, reason(known), all, out(known));
    }

    private static Survey survey(Object only) {
        return only instanceof List<?> names && !names.isEmpty()
                ? Survey.of(names.stream().map(String::valueOf).toList())
                : new Survey();
    }

    /** "2 × NVIDIA H200, nvswitch-all-to-all, 3 facts unknown". */
    private static String reason(KnownFacts known) {
        List<Gpu> gpus = known.all(Gpu.class);
        int unknown = known.all(Unknown.class).size();
        String rest =
                unknown == 0
                        ? ""
                        : ", " + unknown + (unknown == 1 ? " fact" : " facts") + " unknown";
        if (gpus.isEmpty()) {
            String why = known.whyUnknown(Gpu.class);
            return "no GPU known" + (why == null ? "" : ": " + shortest(why)) + rest;
        }
        Topology topology = known.last(Topology.class);
        String links = topology == null ? "links unknown" : topology.linkClass().label();
        return gpus.size() + " × " + model(gpus) + ", " + links + rest;
    }

    /** What the PCI bus says, when it was asked; it explains the rest. */
    private static String shortest(String why) {
        return Stream.of(why.split("; "))
                .filter(w -> w.startsWith("the PCI bus"))
                .findFirst()
                .orElse(why);
    }

    private static String model(List<Gpu> gpus) {
        List<String> models =
                gpus.stream().map(g -> g.model() == null ? "GPU" : g.model()).distinct().toList();
        return String.join(" / ", models);
    }

    private static Map<String, Object> out(KnownFacts known) {
        Map<String, Object> out = new LinkedHashMap<>();
        boolean any = !known.all(Gpu.class).isEmpty();
        List<Integer> visible = VisibleGpus.of(known);
        String why = known.whyUnknown(Gpu.class);
        out.put(
                "gpus",
                any && visible != null ? visible : unknown(any ? "which are visible" : why));
        out.put("vendor", any ? known.all(Gpu.class).get(0).vendor() : unknown(why));
        Topology topology = known.last(Topology.class);
        out.put(
                "link_class",
                topology != null
                        ? topology.linkClass().label()
                        : unknown(known.whyUnknown(Topology.class)));
        return out;
    }

    private static Value.Unknown unknown(String why) {
        return new Value.Unknown(why == null ? "no tool tells it" : why);
    }
}
