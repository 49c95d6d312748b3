package io.gpuflow.rules;

import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Verdict;
import java.util.List;
import java.util.Map;

/**
 * What a rule's rule.yaml says: the words and the policy around the condition in its rule.drl.
 *
 * @param area folder above the rule: hardware, interconnect …
 * @param level null for ignore
 * @param cause id of the vocabulary of causes, or null
 * @param needs facts without which silence means nothing
 * @param appliesTo machines on which silence means something
 * @param says one line with {@code ${{ name }}} for the finding's values
 * @param advises experiments that the finding asks for
 * @param merge value names in which findings of this rule may differ and still be told as one
 * @param follows rules whose finding explains this one, so that it is shown beneath
 * @param claims topic to position; two findings with one topic and two positions contradict
 * @param costs what it costs the user, for the order of the report
 * @param aliases ids that it had before; they are understood wherever an id is asked for
 * @param vetoes what must not be done here when it speaks: experiments, variables, positions of
 *     {@code claims}; see {@link Veto}
 * @param reads facts that must be there for its conditions to match, from rule.drl
 */
public record RuleCard(
        String id,
        String area,
        String since,
        Verdict.Level level,
        Verdict.Role role,
        String cause,
        double confidence,
        List<Need> needs,
        AppliesTo appliesTo,
        String says,
        String why,
        List<Verdict.Fix> fixes,
        List<String> advises,
        List<SettingSpec> settings,
        List<String> merge,
        List<String> follows,
        Map<String, String> claims,
        Costs costs,
        List<String> aliases,
        List<Veto> vetoes,
        List<Read> reads) {

    /** The same card with the facts that its conditions read. */
    public RuleCard reading(List<Read> facts) {
        return new RuleCard(
                id,
                area,
                since,
                level,
                role,
                cause,
                confidence,
                needs,
                appliesTo,
                says,
                why,
                fixes,
                advises,
                settings,
                merge,
                follows,
                claims,
                costs,
                aliases,
                vetoes,
                facts);
    }

    /** The same card with another level, other words and remedies. */
    public RuleCard told(Verdict.Level told, String line, String reason, List<Verdict.Fix> todo) {
        return new RuleCard(
                id,
                area,
                since,
                told,
                role,
                cause,
                confidence,
                needs,
                appliesTo,
                line,
                reason,
                todo,
                advises,
                settings,
                merge,
                follows,
                claims,
                costs,
                aliases,
                vetoes,
                reads);
    }

    /** The same card with another level; null for ignore. */
    public RuleCard at(Verdict.Level other) {
        return told(other, says, why, fixes);
    }

    /** What a finding costs the user, dearest first. */
    public enum Costs {
        /** Wrong numbers, silently. */
        RESULTS,
        /** It does not run, or not to its end. */
        RUN,
        /** It runs, slower than it could. */
        SPEED,
        /** It may fail or lose data later. */
        RISK,
        /** Nothing: it is good to know. */
        NOTHING
    }

    /** A setting's value for people. */
    public String words(Setting setting) {
        return Words.of(setting.name(), value(setting));
    }

    /** A setting's value as its type says: a number, a Boolean, a text or a list. */
    public Object value(Setting setting) {
        return switch (setting(setting.name()).type()) {
            case "text" -> setting.text();
            case "list" -> setting.list();
            case "flag" -> setting.number() != 0;
            default -> setting.number();
        };
    }

    public SettingSpec setting(String name) {
        return settings.stream().filter(s -> s.name().equals(name)).findFirst().orElse(null);
    }
}
