package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Distinct facts in one fixed order, each with every place it came from. */
final class FactSources {
    private final Map<Fact, List<Source>> sources = new LinkedHashMap<>();

    FactSources(Collection<Observed> observed) {
        Map<String, Fact> byText = new TreeMap<>();
        Map<Fact, List<Source>> all = new java.util.HashMap<>();
        for (Observed o : observed) {
            byText.put(FactFields.text(o.fact()), o.fact());
            all.computeIfAbsent(o.fact(), f -> new java.util.ArrayList<>()).add(o.source());
        }
        for (Fact fact : byText.values()) {
            sources.put(
                    fact,
                    all.get(fact).stream()
                            .distinct()
                            .sorted(
                                    Comparator.comparing(Source::text)
                                            .thenComparing(Source::line)
                                            .thenComparing(Source::excerpt))
                            .toList());
        }
    }

    Collection<Fact> facts() {
        return sources.keySet();
    }

    /** Empty for a fact that was not observed: a setting or a finding. */
    List<Source> of(Object fact) {
        return sources.getOrDefault(fact, List.of());
    }
}
