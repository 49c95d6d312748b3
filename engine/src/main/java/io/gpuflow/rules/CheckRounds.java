package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Judgement;
import io.gpuflow.rules.check.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * When a site's checks are asked: those over facts alone before the rules in DRL, which may build
 * on them; those that name findings afterwards, in order of id, each seeing the ones before it.
 */
final class CheckRounds {
    private final List<Check> checks;
    private final Collection<Fact> facts;
    private final List<Checks.Spoken> spoken = new ArrayList<>();
    private final List<Judgement.Untold> untold = new ArrayList<>();

    CheckRounds(List<Check> checks, Collection<Fact> facts) {
        this.checks = checks;
        this.facts = facts;
    }

    /** The facts, and the findings of checks over facts alone. */
    List<Fact> first() {
        List<Fact> all = new ArrayList<>(facts);
        if (checks.isEmpty()) {
            return all;
        }
        Checks session = new Checks(facts);
        checks.stream().filter(c -> !c.buildsOnFindings()).forEach(session::judge);
        take(session);
        spoken.forEach(s -> all.add(s.finding()));
        return all;
    }

    /** Asks the checks that build on findings. */
    void second(List<Conclusion> concluded) {
        List<Fact> all = new ArrayList<>(facts);
        List<Fact> findings = new ArrayList<>();
        concluded.forEach(c -> findings.add(c.finding()));
        spoken.forEach(s -> findings.add(s.finding()));
        for (Check check : checks) {
            if (check.buildsOnFindings()) {
                findings.sort(Comparator.comparing(FactFields::text));
                List<Fact> seen = new ArrayList<>(all);
                seen.addAll(findings);
                Checks session = new Checks(seen);
                session.judge(check);
                session.spoken().forEach(s -> findings.add(s.finding()));
                take(session);
            }
        }
    }

    private void take(Checks session) {
        spoken.addAll(session.spoken());
        untold.addAll(session.untold());
    }

    /** What checks concluded. */
    List<Conclusion> conclusions() {
        return spoken.stream().map(s -> new Conclusion(s.finding(), s.matched())).toList();
    }

    /** The cards of checks that spoke, words filled in. */
    Map<String, RuleCard> cards() {
        Map<String, RuleCard> cards = new LinkedHashMap<>();
        spoken.forEach(s -> cards.put(s.card().id(), s.card()));
        return cards;
    }

    List<Judgement.Untold> untold() {
        return untold;
    }
}
