package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kie.api.KieBase;

/**
 * Knowledge bases with no more rules than the facts at hand can fire: a rule is left out when it
 * reads a fact that is not there. Loading all rules takes a quarter of a second, which a command
 * over one small log should not pay.
 */
final class Bases {
    /** Types that do not decide: settings are always there, findings come of the rules. */
    private static final Set<String> FREE = Set.of("Setting", "Finding", "Advice");

    private final Function<Set<String>, KieBase> source;
    private final Collection<RuleCard> cards;
    private final Map<Set<String>, KieBase> loaded = new HashMap<>();
    private final Set<String> ids = new TreeSet<>();

    Bases(Function<Set<String>, KieBase> source, Collection<RuleCard> cards) {
        this.source = source;
        this.cards = cards;
        cards.forEach(card -> ids.add(card.id()));
    }

    KieBase all() {
        return of(ids);
    }

    /** A base with these rules at least. */
    synchronized KieBase of(Set<String> wanted) {
        KieBase whole = loaded.get(ids);
        return whole != null ? whole : loaded.computeIfAbsent(wanted, source);
    }

    /** A base with these rules and no other. */
    synchronized KieBase only(Set<String> wanted) {
        return loaded.computeIfAbsent(wanted, source);
    }

    /** Which rules these facts can fire. */
    Set<String> reachable(Collection<? extends Fact> facts) {
        Map<String, List<Fact>> byType =
                facts.stream().collect(Collectors.groupingBy(f -> f.getClass().getSimpleName()));
        Set<String> reachable = new TreeSet<>();
        for (RuleCard card : cards) {
            if (card.reads().stream().allMatch(read -> isThere(read, byType))) {
                reachable.add(card.id());
            }
        }
        return reachable;
    }

    private static boolean isThere(Read read, Map<String, List<Fact>> byType) {
        return FREE.contains(read.type())
                || byType.getOrDefault(read.type(), List.of()).stream().anyMatch(read::metBy);
    }
}
