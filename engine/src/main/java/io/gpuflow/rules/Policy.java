package io.gpuflow.rules;

import io.gpuflow.expr.Expr;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Setting;
import io.gpuflow.rules.check.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.drools.model.Model;

/**
 * The rules in force: the shipped ones as the site changes them, and its own.
 *
 * @param cards of all rules, own ones among them, by id; level null for those that are not told
 * @param settings by rule id, complete
 * @param ignored rules that do not count at all: not even their vetoes
 * @param checks own checks in YAML, in order of id
 * @param models own rules in DRL, compiled, by id
 * @param exemptions findings that are not told
 * @param broken own rules that could not be loaded
 * @param notes about the policy
 * @param files that it was read from
 */
public record Policy(
        Map<String, RuleCard> cards,
        Map<String, List<Setting>> settings,
        Set<String> ignored,
        List<Check> checks,
        Map<String, Model> models,
        List<Exemption> exemptions,
        List<Judgement.Broken> broken,
        List<String> notes,
        List<Judgement.PolicyFile> files) {

    /**
     * Findings of a rule that are not told.
     *
     * @param when over facts, values, hosts and ranks; only what is known to be true counts
     * @param at file:line:column in site.yaml
     */
    public record Exemption(String rule, Expr when, String because, String at) {}

    /** The shipped rules as they are. */
    public static Policy shipped(Map<String, RuleCard> cards) {
        return new Policy(
                cards,
                LoadedRules.defaults(cards.values()),
                Set.of(),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The same with more rules that can't be used. */
    Policy and(List<Judgement.Broken> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Judgement.Broken> all = new ArrayList<>(broken);
        all.addAll(more);
        return new Policy(cards, settings, ignored, checks, models, exemptions, all, notes, files);
    }

    /** The same rules with other thresholds. */
    public Policy with(Map<String, List<Setting>> others) {
        return new Policy(cards, others, ignored, checks, models, exemptions, broken, notes, files);
    }

    /** The id that a name stands for, be it an id or one that a rule had before; else null. */
    public String id(String name) {
        return id(cards, name);
    }

    /** The id that a name stands for among these cards, or null. */
    public static String id(Map<String, RuleCard> cards, String name) {
        if (cards.containsKey(name)) {
            return name;
        }
        return cards.values().stream()
                .filter(card -> card.aliases().contains(name))
                .map(RuleCard::id)
                .findFirst()
                .orElse(null);
    }

    /** Whether a rule is the site's own. */
    public boolean isOwn(String id) {
        return models.containsKey(id) || checks.stream().anyMatch(c -> c.id().equals(id));
    }

    /** The cards of rules in DRL: those of checks have no compiled condition. */
    Map<String, RuleCard> compiled() {
        Map<String, RuleCard> compiled = new TreeMap<>(cards);
        checks.forEach(check -> compiled.remove(check.id()));
        return compiled;
    }

    /**
     * Whether a judgement of some areas asks the rules of an area: own rules of the area site are
     * asked always, those of site_bench together with bench.
     *
     * @param areas empty for all
     */
    public static boolean asks(Set<String> areas, String area) {
        if (areas.isEmpty() || areas.contains(area) || area.equals(OWN)) {
            return true;
        }
        return area.startsWith(OWN + "_") && areas.contains(area.substring(OWN.length() + 1));
    }

    /** The area of own rules; further ones begin with it and _. */
    public static final String OWN = "site";

    /** Whether an area is one for own rules. */
    public static boolean isOwnArea(String area) {
        return area.equals(OWN) || area.startsWith(OWN + "_");
    }
}
