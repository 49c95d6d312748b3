package io.gpuflow.cli;

import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Verdict;
import io.gpuflow.report.RulePage;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Need;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.rules.Words;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes what is shown of a rule out of its card. */
final class RulePages {
    private RulePages() {}

    /** A value that only a finding has: {@code ${{ gpu }}} is shown as {@code <gpu>}. */
    private static final Pattern HOLE = Pattern.compile("\\$\\{\\{\\s*([^}]*?)\\s*}}");

    static RulePage of(RuleCard card) {
        return of(card, LoadedRules.defaults(List.of(card)).getOrDefault(card.id(), List.of()));
    }

    /** The page, with the settings as they are in force. */
    static RulePage of(RuleCard card, List<Setting> settings) {
        Map<String, String> known = new HashMap<>();
        settings.forEach(s -> known.put(s.name(), card.words(s)));
        return new RulePage(
                card.id(),
                card.area(),
                level(card),
                filled(card.says(), known),
                filled(card.why(), known),
                card.fixes().stream().map(fix -> filled(fix, known)).toList(),
                card.needs().stream().map(Need::toString).toList(),
                card.appliesTo().equals(AppliesTo.ANY) ? "" : card.appliesTo().toString(),
                settings.stream().map(s -> setting(card, s)).toList(),
                card.advises(),
                card.follows(),
                card.cause());
    }

    /** Settings have values already; what a finding will bring stands as its name. */
    static String filled(String text, Map<String, String> known) {
        return HOLE.matcher(text)
                .replaceAll(
                        m ->
                                Matcher.quoteReplacement(
                                        known.getOrDefault(m.group(1), "<" + m.group(1) + ">")));
    }

    private static Verdict.Fix filled(Verdict.Fix fix, Map<String, String> known) {
        return new Verdict.Fix(
                fix.kind(),
                fix.who(),
                filled(fix.text(), known),
                fix.env(),
                filled(fix.cost(), known));
    }

    static String level(RuleCard card) {
        return card.level() == null ? "ignore" : card.level().name().toLowerCase(Locale.ROOT);
    }

    private static String setting(RuleCard card, Setting setting) {
        SettingSpec spec = card.setting(setting.name());
        String unit = spec.unit().isEmpty() ? "" : " " + spec.unit();
        boolean bounded = Double.isFinite(spec.min()) && Double.isFinite(spec.max());
        String range =
                bounded
                        ? " (" + Words.number(spec.min()) + " to " + Words.number(spec.max()) + ")"
                        : "";
        return spec.name() + " = " + card.words(setting) + unit + range + ": " + spec.help();
    }
}
