package io.gpuflow.rules.folder;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleCard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Rules that tell one person two opposite things. */
public final class Conflicts {
    /**
     * A topic on which the rules of one judgement disagree.
     *
     * @param topic of a claim, a variable, or an experiment without -on and -off
     * @param positions what is said of it, and by which rules
     */
    public record Conflict(String topic, Map<String, Set<String>> positions) {
        public Set<String> rules() {
            Set<String> rules = new TreeSet<>();
            positions.values().forEach(rules::addAll);
            return rules;
        }

        /** {@code NCCL_P2P_DISABLE: 1 (rule-a), unset (rule-b)}. */
        @Override
        public String toString() {
            List<String> each = new ArrayList<>();
            positions.forEach(
                    (position, rules) ->
                            each.add(position + " (" + String.join(", ", rules) + ")"));
            return topic + ": " + String.join(", ", each);
        }
    }

    private final Map<String, Map<String, Set<String>>> positions = new LinkedHashMap<>();

    private Conflicts() {}

    /**
     * Claims of one topic with two positions, fixes that set one variable two ways, and advice to
     * try a thing both on and off.
     *
     * @param cards of the rules that judged
     */
    public static List<Conflict> in(Judgement judgement, Map<String, RuleCard> cards) {
        Conflicts all = new Conflicts();
        for (Verdict v : judgement.verdicts()) {
            RuleCard card = cards.get(v.id());
            if (card != null) {
                card.claims().forEach((topic, position) -> all.add(topic, position, v.id()));
            }
            for (Verdict.Fix fix : v.fixes()) {
                if ("fix".equals(fix.kind())) {
                    fix.env().forEach((n, x) -> all.add(n, x == null ? "unset" : x, v.id()));
                }
            }
        }
        for (Advice a : judgement.advice()) {
            String topic = a.experiment().replaceFirst("-(on|off)$", "");
            if (!topic.equals(a.experiment())) {
                all.add("experiment " + topic, a.experiment(), a.rule());
            }
        }
        List<Conflict> found = new ArrayList<>();
        all.positions.forEach(
                (topic, by) -> {
                    if (by.size() > 1) {
                        found.add(new Conflict(topic, by));
                    }
                });
        return found;
    }

    private void add(String topic, String position, String rule) {
        positions
                .computeIfAbsent(topic, t -> new TreeMap<>())
                .computeIfAbsent(position, p -> new TreeSet<>())
                .add(rule);
    }
}
