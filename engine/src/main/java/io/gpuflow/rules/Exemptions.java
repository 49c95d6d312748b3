package io.gpuflow.rules;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Host;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps back the findings that a site's exceptions are about. */
final class Exemptions {
    private final List<Policy.Exemption> all;
    private final FactScope facts;
    private final List<String> hosts;
    private final Map<Policy.Exemption, List<Conclusion>> kept = new LinkedHashMap<>();
    private final Set<String> spoke = new HashSet<>();

    Exemptions(List<Policy.Exemption> all, Collection<Fact> facts) {
        this.all = all;
        this.facts = new FactScope(facts);
        this.hosts =
                facts.stream()
                        .filter(f -> f instanceof Host h && h.name() != null)
                        .map(f -> ((Host) f).name())
                        .toList();
    }

    /** The conclusions that are told. */
    List<Conclusion> told(List<Conclusion> conclusions) {
        if (all.isEmpty()) {
            return conclusions;
        }
        List<Conclusion> told = new ArrayList<>();
        for (Conclusion c : conclusions) {
            spoke.add(c.finding().rule());
            Policy.Exemption exemption = of(c.finding());
            if (exemption == null) {
                told.add(c);
            } else {
                kept.computeIfAbsent(exemption, e -> new ArrayList<>()).add(c);
            }
        }
        return told;
    }

    /** The first exception that is known to hold for a finding, or null. */
    private Policy.Exemption of(Finding finding) {
        for (Policy.Exemption e : all) {
            if (e.rule().equals(finding.rule()) && e.when().evaluate(scope(finding)).isTrue()) {
                return e;
            }
        }
        return null;
    }

    /** A finding that names no host is about the machine that was looked at. */
    private Scope scope(Finding finding) {
        return name ->
                switch (name) {
                    case "facts" -> facts.values();
                    case "values" -> finding.values();
                    case "hosts" -> finding.hosts().isEmpty() ? hosts : finding.hosts();
                    case "ranks" -> finding.ranks();
                    default -> new Value.Unknown("there is no " + name + " here");
                };
    }

    /** What each exception kept back. */
    Map<Policy.Exemption, List<Conclusion>> kept() {
        return kept;
    }

    /**
     * Exceptions that are about this machine and have nothing to keep back: their rule is quiet.
     * One whose condition is not known to hold here may be about another machine.
     */
    List<Policy.Exemption> idle() {
        Scope here = name -> name.equals("facts") ? facts.values() : new Value.Unknown("");
        return all.stream()
                .filter(e -> !kept.containsKey(e) && !spoke.contains(e.rule()))
                .filter(e -> e.when().evaluate(here).isTrue())
                .toList();
    }
}
