package io.gpuflow.rules.explain;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Unknown;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleCard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a rule said nothing about some facts: it is not for such a machine, a fact is missing, or the
 * first condition that nothing meets and what comes nearest to meeting it.
 */
public final class WhyNot {
    private final LoadedRules rules;
    private final RuleCard card;
    private final String head;
    private final List<String> conditions;
    private final List<Fact> facts = new ArrayList<>();
    private final Map<Fact, Observed> observed = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final boolean source;
    private Map<String, List<Trial.Found>> found;

    private WhyNot(
            LoadedRules rules,
            String id,
            String drl,
            Collection<Observed> observed,
            boolean source) {
        this.rules = rules;
        this.source = source;
        this.card = rules.cards().get(id);
        this.head = ConditionTexts.head(drl);
        this.conditions = ConditionTexts.of(drl);
        observed.forEach(o -> this.observed.putIfAbsent(o.fact(), o));
        facts.addAll(this.observed.keySet());
        rules.settings().values().forEach(facts::addAll);
        facts.addAll(rules.findings(observed));
    }

    /**
     * The answer, a line each.
     *
     * @param drl text of the rule's rule.drl
     * @param source whether conditions are shown as they stand there, rather than in words
     */
    public static List<String> lines(
            LoadedRules rules,
            String id,
            String drl,
            Collection<Observed> observed,
            boolean source) {
        WhyNot why = new WhyNot(rules, id, drl, observed, source);
        why.answer();
        return List.copyOf(why.lines);
    }

    private void answer() {
        if (card.appliesTo().ruledOutBy(facts)) {
            lines.add("it is about " + card.appliesTo() + ", which this is not");
        }
        rules.unmet(card, observed.keySet()).forEach(this::missing);
        int failing = firstFailing();
        for (int i = 0; i < conditions.size(); i++) {
            String state = i < failing ? "holds" : i == failing ? "FAILS" : "not looked at";
            lines.add(String.format("%d. %-13s %s", i + 1, state, shown(i)));
            if (i == failing) {
                lines.addAll(
                        new NearestMiss(head, conditions.subList(0, i), facts, observed, words(i))
                                .lines(conditions.get(i)));
            }
        }
        if (failing == conditions.size()) {
            lines.add("all its conditions hold: it did speak; see gpuflow explain " + card.id());
        }
    }

    private void missing(String need) {
        List<String> reasons = new ArrayList<>();
        for (Fact fact : observed.keySet()) {
            if (fact instanceof Unknown u && LoadedRules.speaksOf(u, need)) {
                reasons.add(u.why());
            }
        }
        String why =
                reasons.isEmpty()
                        ? "there is none, and nothing says that it could not be told"
                        : "not known: " + String.join("; ", reasons);
        lines.add("it needs " + need + ": " + why);
    }

    /** Index of the first condition that does not hold with those before it. */
    private int firstFailing() {
        Trial trial = new Trial(head);
        for (int i = 0; i < conditions.size(); i++) {
            trial.add(name(i), conditions.subList(0, i + 1));
        }
        found = trial.run(facts);
        for (int i = 0; i < conditions.size(); i++) {
            if (found.get(name(i)).isEmpty()) {
                return i;
            }
        }
        return conditions.size();
    }

    private static String name(int condition) {
        return String.format("first %03d", condition);
    }

    /** A setting is told with its value, which says more than how it is looked up. */
    private String shown(int i) {
        String condition = conditions.get(i);
        for (Setting s : rules.settings().getOrDefault(card.id(), List.of())) {
            if (condition.startsWith("Setting(") && condition.contains("\"" + s.name() + "\"")) {
                return "setting " + s.name() + " = " + card.words(s);
            }
        }
        return source ? condition : words(i).of(condition);
    }

    /** Words with what the conditions up to this one bind, as far as they hold; null for source. */
    private ConditionWords words(int i) {
        if (source) {
            return null;
        }
        for (int held = i; held >= 0; held--) {
            List<Trial.Found> matches = found.get(name(held));
            if (matches != null && !matches.isEmpty()) {
                return new ConditionWords(head, matches.get(0).values());
            }
        }
        return new ConditionWords(head, Map.of());
    }
}
