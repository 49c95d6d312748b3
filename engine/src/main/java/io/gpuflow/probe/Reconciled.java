package io.gpuflow.probe;

import io.gpuflow.facts.Container;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One set of facts from many sources: what two sources say of one thing becomes one fact, an
 * Unknown that another source answered goes, and several reasons for one Unknown become one.
 */
final class Reconciled {
    private Reconciled() {}

    static List<Observed> of(List<Observed> observed) {
        List<Observed> facts = new ArrayList<>();
        Map<Object, Integer> places = new LinkedHashMap<>();
        List<Observed> unknowns = new ArrayList<>();
        for (Observed o : observed) {
            Object key = Same.key(o.fact());
            Integer place = key == null ? null : places.get(key);
            if (o.fact() instanceof Unknown) {
                unknowns.add(o);
            } else if (place != null) {
                Observed first = facts.get(place);
                Fact merged = Same.merged(first.fact(), o.fact());
                facts.set(place, new Observed(merged, first.source()));
            } else {
                if (key != null) {
                    places.put(key, facts.size());
                }
                facts.add(o);
            }
        }
        List<Observed> told = withoutHidden(facts, unknowns);
        told.addAll(open(told, unknowns));
        return told;
    }

    /**
     * Where a container hides the PCI tree, "no NVLink seen" is no topology: it becomes unknown.
     * NVLink that is seen stays: the driver itself says so.
     */
    private static List<Observed> withoutHidden(List<Observed> facts, List<Observed> unknowns) {
        boolean restricted =
                facts.stream()
                        .anyMatch(
                                o ->
                                        o.fact() instanceof Container c
                                                && Boolean.TRUE.equals(c.restricted()));
        List<Observed> left = new ArrayList<>();
        for (Observed o : facts) {
            boolean inferred =
                    o.fact() instanceof Topology t && t.linkClass() == LinkClass.PCIE_ONLY;
            if (restricted && inferred) {
                String why = "the container hides the PCI tree; ask on the host";
                unknowns.add(new Observed(new Unknown("Topology", why), o.source()));
            } else {
                left.add(o);
            }
        }
        return left;
    }

    private static void addIf(boolean told, String what, Set<String> known) {
        if (told) {
            known.add(what);
        }
    }

    private static List<Observed> open(List<Observed> facts, List<Observed> unknowns) {
        Set<String> known = new LinkedHashSet<>();
        for (Observed o : facts) {
            known.add(o.fact().getClass().getSimpleName());
            if (o.fact() instanceof Known k) {
                known.add(k.what());
            }
            if (o.fact() instanceof Host h) {
                addIf(h.numaNodes() != null, "Host.numaNodes", known);
                addIf(h.threadsPerCore() != null, "Host.threadsPerCore", known);
            }
        }
        Map<String, Set<String>> reasons = new LinkedHashMap<>();
        Map<String, Source> sources = new LinkedHashMap<>();
        for (Observed o : unknowns) {
            Unknown unknown = (Unknown) o.fact();
            if (!known.contains(unknown.what())) {
                reasons.computeIfAbsent(unknown.what(), w -> new LinkedHashSet<>())
                        .addAll(List.of(unknown.why().split("; (?=\\S)")));
                sources.putIfAbsent(unknown.what(), o.source());
            }
        }
        List<Observed> open = new ArrayList<>();
        reasons.forEach(
                (what, whys) -> {
                    Unknown unknown = new Unknown(what, String.join("; ", whys));
                    open.add(new Observed(unknown, sources.get(what)));
                });
        return open;
    }
}
