package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.kie.api.KieBase;

/**
 * Knowledge bases with no more rules than the facts at hand can fire: an area is left out when each
 * of its rules reads a fact type of which there is none. Loading all rules takes a quarter of a
 * second, which a command over one small log should not pay.
 */
final class Bases {
    /** Types that do not decide: settings are always there, findings come of the rules. */
    private static final Set<String> FREE = Set.of("Setting", "Finding", "Advice");

    private final Function<Set<String>, KieBase> source;
    private final Collection<RuleCard> cards;
    private final Map<Set<String>, KieBase> loaded = new HashMap<>();
    private final Set<String> areas = new TreeSet<>();

    Bases(Function<Set<String>, KieBase> source, Collection<RuleCard> cards) {
        this.source = source;
        this.cards = cards;
        cards.forEach(card -> areas.add(card.area()));
    }

    synchronized KieBase all() {
        return loaded.computeIfAbsent(areas, source);
    }

    /** A base that holds every rule that these facts can fire, and perhaps more. */
    synchronized KieBase forFacts(Collection<? extends Fact> facts) {
        KieBase whole = loaded.get(areas);
        if (whole != null) {
            return whole;
        }
        Set<String> types = new HashSet<>(FREE);
        facts.forEach(fact -> types.add(fact.getClass().getSimpleName()));
        Set<String> needed = new TreeSet<>();
        for (RuleCard card : cards) {
            if (types.containsAll(card.reads())) {
                needed.add(card.area());
            }
        }
        return loaded.computeIfAbsent(needed, source);
    }
}
