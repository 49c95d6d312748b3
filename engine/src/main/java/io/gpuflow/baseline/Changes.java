package io.gpuflow.baseline;

import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineGpu;
import io.gpuflow.facts.BaselineSoftware;
import io.gpuflow.facts.Fact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What differs between a baseline and the machine as it is now, judged by nobody: how much is too
 * much is for the rules to say.
 */
public final class Changes {
    /**
     * One difference.
     *
     * @param what the figure: busbw, software, gpu, or the name of a {@link BaselineFigure}
     * @param of what it belongs to: "all_reduce on 2 GPUs", "GPU 3", "nccl"; empty for the machine
     * @param was a number or a text
     * @param now the same, or null when it is not known now
     * @param share (now − was) / was of two numbers, else null
     */
    public record Change(String what, String of, Object was, Object now, Double share) {}

    private final Baseline now;
    private final List<Change> changed = new ArrayList<>();
    private final List<Change> notKnown = new ArrayList<>();
    private int same;

    private Changes(Baseline now) {
        this.now = now;
    }

    /**
     * @param facts those of the machine now and those of its baseline
     */
    public static Changes of(Collection<? extends Fact> facts) {
        Changes changes = new Changes(Figures.of(facts, "", ""));
        TreeSet<String> programs = new TreeSet<>();
        for (Fact fact : facts) {
            if (fact instanceof BaselineGpu gpu) {
                changes.gpu(gpu);
            } else if (fact instanceof BaselineBench bench) {
                changes.bench(bench);
            } else if (fact instanceof BaselineFigure figure) {
                changes.figure(figure);
            } else if (fact instanceof BaselineSoftware s) {
                programs.add(s.name());
            }
        }
        programs.forEach(name -> changes.versions(name, facts));
        return changes;
    }

    public List<Change> changed() {
        return List.copyOf(changed);
    }

    /** Figures of the baseline that are not known now, so that nothing can be said of them. */
    public List<Change> notKnown() {
        return List.copyOf(notKnown);
    }

    /** How many figures are what they were. */
    public int same() {
        return same;
    }

    private void gpu(BaselineGpu gpu) {
        String of = "GPU " + gpu.index();
        if (gpu.state() == null) {
            notKnown.add(new Change("gpu", of, model(gpu.model()), null, null));
        } else if (gpu.state().equals("same")) {
            same++;
        } else {
            String is =
                    switch (gpu.state()) {
                        case "moved" -> "now GPU " + gpu.now();
                        case "other" -> "another card";
                        default -> "not here";
                    };
            changed.add(new Change("gpu", of, model(gpu.model()), is, null));
        }
    }

    private static String model(String model) {
        return model == null ? "a GPU" : model;
    }

    private void bench(BaselineBench was) {
        String of = was.op() + " on " + was.ranks() + " GPUs by " + was.tool();
        BaselineBench is =
                now.benches().stream()
                        .filter(b -> b.op().equals(was.op()) && b.ranks() == was.ranks())
                        .filter(b -> Objects.equals(b.tool(), was.tool()))
                        .filter(b -> Objects.equals(b.largeBytes(), was.largeBytes()))
                        .findFirst()
                        .orElse(null);
        add("busbw_gbps", of, was.largeBusbwGbps(), is == null ? null : is.largeBusbwGbps());
        if (was.transport() != null) {
            add("transport", of, was.transport(), is == null ? null : is.transport());
        }
    }

    private void figure(BaselineFigure was) {
        String of = was.gpu() == null ? "" : "GPU " + was.gpu();
        BaselineFigure is =
                now.figures().stream()
                        .filter(f -> f.figure().equals(was.figure()))
                        .filter(f -> Objects.equals(f.gpu(), was.gpu()))
                        .findFirst()
                        .orElse(null);
        Object before = was.number() != null ? was.number() : was.text();
        Object after = is == null ? null : is.number() != null ? is.number() : is.text();
        add(was.figure(), of, before, after);
    }

    /** A program may be there several times: all its versions are compared at once. */
    private void versions(String name, Collection<? extends Fact> facts) {
        String was =
                facts.stream()
                        .filter(BaselineSoftware.class::isInstance)
                        .map(BaselineSoftware.class::cast)
                        .filter(s -> s.name().equals(name))
                        .map(BaselineSoftware::version)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "));
        String is =
                now.software().stream()
                        .filter(s -> s.name().equals(name))
                        .map(BaselineSoftware::version)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "));
        add("version", name, was, is.isEmpty() ? null : is);
    }

    private void add(String what, String of, Object was, Object is) {
        if (is == null) {
            notKnown.add(new Change(what, of, was, null, null));
        } else if (is.equals(was)) {
            same++;
        } else {
            Double share =
                    was instanceof Double a && is instanceof Double b && a != 0
                            ? (b - a) / a
                            : null;
            changed.add(new Change(what, of, was, is, share));
        }
    }
}
