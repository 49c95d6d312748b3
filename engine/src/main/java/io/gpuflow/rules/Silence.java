package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What it means that a rule said nothing.
 *
 * <p>A rule is <em>untold</em> when a fact it needs is absent and something asked for that fact in
 * vain: an Unknown says so. A needed fact that nothing asked for leaves the rule merely without
 * input, and a rule that this machine is ruled out for is quiet.
 */
final class Silence {
    private final Collection<Fact> facts;
    private final List<Unknown> unknowns;

    Silence(Collection<Fact> facts) {
        this.facts = facts;
        this.unknowns =
                facts.stream()
                        .filter(Unknown.class::isInstance)
                        .map(Unknown.class::cast)
                        .sorted(Comparator.comparing(Unknown::what).thenComparing(Unknown::why))
                        .toList();
    }

    /** Needs that no fact meets. */
    List<Need> unmet(RuleCard card) {
        return card.needs().stream()
                .filter(n -> facts.stream().noneMatch(f -> meets(f, n)))
                .toList();
    }

    /** A fact of the kind, or the word that all of its kind are here. */
    private static boolean meets(Fact fact, Need need) {
        return need.metBy(fact) || (fact instanceof Known known && need.spokenOfBy(known.what()));
    }

    /** The unknowns that keep a silent rule from being told; empty when it is quiet. */
    List<Unknown> missing(RuleCard card) {
        if (card.appliesTo().ruledOutBy(facts)) {
            return List.of();
        }
        List<Unknown> missing = new ArrayList<>();
        for (Need need : unmet(card)) {
            about(need).stream().filter(u -> !missing.contains(u)).forEach(missing::add);
        }
        return missing;
    }

    /** The unknowns that speak of a need. */
    List<Unknown> about(Need need) {
        return unknowns.stream().filter(u -> need.spokenOfBy(u.what())).toList();
    }
}
