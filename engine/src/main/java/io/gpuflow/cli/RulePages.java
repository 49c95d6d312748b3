package io.gpuflow.cli;

import io.gpuflow.facts.Setting;
import io.gpuflow.report.RulePage;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Need;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.rules.Words;
import java.util.List;
import java.util.Locale;

/** Makes what is shown of a rule out of its card. */
final class RulePages {
    private RulePages() {}

    static RulePage of(RuleCard card) {
        List<Setting> settings =
                LoadedRules.defaults(List.of(card)).getOrDefault(card.id(), List.of());
        return new RulePage(
                card.id(),
                card.area(),
                level(card),
                card.says(),
                card.why(),
                card.fixes(),
                card.needs().stream().map(Need::toString).toList(),
                card.appliesTo().equals(AppliesTo.ANY) ? "" : card.appliesTo().toString(),
                settings.stream().map(s -> setting(card, s)).toList(),
                card.advises(),
                card.follows(),
                card.cause());
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
