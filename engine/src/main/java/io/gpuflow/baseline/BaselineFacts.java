package io.gpuflow.baseline;

import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineGpu;
import io.gpuflow.facts.BaselineSoftware;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A baseline as facts, beside those of the machine as it is now. */
public final class BaselineFacts {
    private static final List<Class<? extends Fact>> TYPES =
            List.of(
                    BaselineBench.class,
                    BaselineFigure.class,
                    BaselineGpu.class,
                    BaselineSoftware.class);

    private final BaselineFile file;
    private final Map<Integer, Integer> moved = new HashMap<>();
    private final Set<Integer> gone = new HashSet<>();
    private final List<Observed> facts = new ArrayList<>();

    private BaselineFacts(BaselineFile file) {
        this.file = file;
    }

    /** The facts of a baseline, its figures under the indexes that its GPUs have now. */
    public static List<Observed> of(BaselineFile file, Collection<? extends Fact> now) {
        BaselineFacts facts = new BaselineFacts(file);
        facts.gpus(Identity.of(now).gpus());
        Baseline baseline = file.baseline();
        baseline.software().forEach(s -> facts.add(s, s));
        baseline.benches().forEach(b -> facts.add(b, b));
        baseline.figures().forEach(facts::figure);
        return List.copyOf(facts.facts);
    }

    /** The word that this machine has no baseline: rules about it are quiet, not unknown. */
    public static List<Observed> none() {
        return TYPES.stream()
                .map(t -> new Observed(new Known(t.getSimpleName()), Source.of("no baseline")))
                .toList();
    }

    /** The word that there is one and that it can't be read. */
    public static List<Observed> unreadable(String why) {
        return TYPES.stream()
                .map(t -> new Observed(new Unknown(t.getSimpleName(), why), Source.of("baseline")))
                .toList();
    }

    private void gpus(List<Baseline.Gpu> now) {
        for (Baseline.Gpu was : file.baseline().gpus()) {
            Baseline.Gpu same = null;
            Baseline.Gpu there = null;
            for (Baseline.Gpu g : now) {
                same = was.id() != null && was.id().equals(g.id()) ? g : same;
                there = g.index() == was.index() ? g : there;
            }
            String state = state(was, same, there, now.isEmpty());
            if (same != null) {
                moved.put(was.index(), same.index());
            } else if ("gone".equals(state)) {
                gone.add(was.index());
            }
            Integer at = same == null ? null : same.index();
            add(was, new BaselineGpu(was.index(), was.model(), state, at, file.baseline().day()));
        }
    }

    private String state(
            Baseline.Gpu was, Baseline.Gpu same, Baseline.Gpu there, boolean noneKnown) {
        if (same != null) {
            return same.index() == was.index() ? "same" : "moved";
        }
        if (noneKnown) {
            return null;
        }
        if (there == null || (was.id() != null && ofBaseline(there.id()))) {
            return "gone";
        }
        return was.id() == null || there.id() == null ? null : "other";
    }

    private boolean ofBaseline(String id) {
        return id != null && file.baseline().gpus().stream().anyMatch(g -> id.equals(g.id()));
    }

    private void figure(BaselineFigure f) {
        if (f.gpu() != null && gone.contains(f.gpu())) {
            return; // what has its index now is another GPU of the baseline, or nothing
        }
        Integer gpu = f.gpu() == null ? null : moved.getOrDefault(f.gpu(), f.gpu());
        add(f, new BaselineFigure(f.figure(), gpu, f.number(), f.text(), f.saved()));
    }

    private void add(Object entry, Fact fact) {
        int line = file.lines().getOrDefault(entry, 0);
        facts.add(new Observed(fact, new Source(file.file().toString(), line, "")));
    }
}
