package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Turns conclusions into verdicts: like ones told as one, in words, with evidence and proof. */
final class Verdicts {
    /** Of one fact; a fact that fifty files state is not told fifty times. */
    private static final int MOST_SOURCES = 3;

    private final Map<String, RuleCard> cards;
    private final Map<String, List<Setting>> settings;
    private final FactSources sources;
    private final Map<Finding, List<Object>> matched = new LinkedHashMap<>();

    Verdicts(
            Map<String, RuleCard> cards,
            Map<String, List<Setting>> settings,
            FactSources sources,
            List<Conclusion> conclusions) {
        this.cards = cards;
        this.settings = settings;
        this.sources = sources;
        conclusions.forEach(c -> matched.put(c.finding(), c.matched()));
    }

    /** All verdicts but those of rules whose level is ignore, not yet ranked. */
    List<Verdict> all() {
        Map<String, List<Finding>> like = new LinkedHashMap<>();
        for (Finding finding : matched.keySet()) {
            RuleCard card = cards.get(finding.rule());
            if (card != null && card.level() != null) {
                like.computeIfAbsent(mergeKey(card, finding), k -> new ArrayList<>()).add(finding);
            }
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (List<Finding> findings : like.values()) {
            verdicts.add(verdict(cards.get(findings.get(0).rule()), findings));
        }
        return verdicts;
    }

    private static String mergeKey(RuleCard card, Finding finding) {
        SortedMap<String, Object> rest = new TreeMap<>(finding.values());
        rest.keySet().removeAll(card.merge());
        boolean merges = !card.merge().isEmpty();
        return card.id() + rest + finding.hosts() + (merges ? "" : finding.ranks());
    }

    private Verdict verdict(RuleCard card, List<Finding> findings) {
        SortedMap<String, Object> values = merged(card, findings);
        Map<String, Object> words = new TreeMap<>();
        for (Setting setting : settings.getOrDefault(card.id(), List.of())) {
            words.put(setting.name(), card.value(setting));
        }
        words.putAll(values);
        Set<Integer> ranks = new TreeSet<>();
        findings.forEach(f -> ranks.addAll(f.ranks()));
        return new Verdict(
                card.id(),
                card.area(),
                card.cause(),
                card.role(),
                card.level(),
                null,
                card.confidence(),
                List.copyOf(ranks),
                findings.get(0).hosts(),
                Words.fill(card.says(), words),
                Words.fill(card.why(), words),
                card.fixes().stream().map(fix -> filled(fix, words)).toList(),
                evidence(findings),
                proof(findings),
                values);
    }

    private static SortedMap<String, Object> merged(RuleCard card, List<Finding> findings) {
        SortedMap<String, Object> values = new TreeMap<>(findings.get(0).values());
        for (String name : card.merge()) {
            List<Object> each =
                    findings.stream()
                            .map(f -> f.values().get(name))
                            .filter(v -> v != null)
                            .distinct()
                            .sorted(Comparator.comparing(Verdicts::sortKey))
                            .toList();
            if (!each.isEmpty()) {
                values.put(name, each.size() == 1 ? each.get(0) : each);
            }
        }
        return values;
    }

    private static String sortKey(Object value) {
        return value instanceof Integer i ? String.format("%012d", i) : value.toString();
    }

    private static Verdict.Fix filled(Verdict.Fix fix, Map<String, Object> words) {
        return new Verdict.Fix(
                fix.kind(),
                fix.who(),
                Words.fill(fix.text(), words),
                fix.env(),
                Words.fill(fix.cost(), words));
    }

    private List<Source> evidence(List<Finding> findings) {
        Set<Source> evidence = new LinkedHashSet<>();
        for (Finding finding : findings) {
            for (Object fact : observed(finding, new LinkedHashSet<>())) {
                evidence.addAll(sources.of(fact));
            }
        }
        return List.copyOf(evidence);
    }

    /** The observed facts that a finding rests on, through the findings it builds on. */
    private Collection<Object> observed(Finding finding, Set<Object> seen) {
        for (Object fact : matched.getOrDefault(finding, List.of())) {
            if (seen.add(fact) && fact instanceof Finding base) {
                observed(base, seen);
            }
        }
        return seen;
    }

    private List<String> proof(List<Finding> findings) {
        Set<String> proof = new LinkedHashSet<>();
        for (Finding finding : findings) {
            for (Object fact : observed(finding, new LinkedHashSet<>())) {
                proof.add(proofLine((Fact) fact));
            }
        }
        return List.copyOf(proof);
    }

    private String proofLine(Fact fact) {
        if (fact instanceof Setting s) {
            RuleCard card = cards.get(s.rule());
            SettingSpec spec = card == null ? null : card.setting(s.name());
            if (spec == null) {
                return FactFields.text(s);
            }
            boolean shipped = s.equals(spec.asDefault(s.rule()));
            String where = shipped ? "rule.yaml" : "the site's policy";
            return "setting " + s.name() + " = " + card.words(s) + "  (" + where + ")";
        }
        String text = FactFields.text(fact);
        List<Source> from = sources.of(fact);
        if (from.isEmpty()) {
            return text;
        }
        int more = from.size() - MOST_SOURCES;
        String shown =
                String.join(", ", from.stream().limit(MOST_SOURCES).map(Source::toString).toList());
        return text + "  (" + shown + (more > 0 ? " and " + more + " more)" : ")");
    }
}
