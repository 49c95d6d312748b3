package io.gpuflow.cli;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.rules.site.SiteEdit;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes settings of a rule in site.yaml. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = {
            "Changes settings or the level of a rule in site.yaml.",
            "The file keeps its comments and order, the shipped rule stays as it is. Shows what changed."
        },
        footer = {"", "Exit code: 0 done; 2 no such rule or setting, or a value out of its range."})
final class RulesSetCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ID", description = "id of a rule")
    private String id;

    @Parameters(
            index = "1..*",
            paramLabel = "NAME=VALUE",
            description = "settings; gpuflow explain ID names them. A list is a,b,c")
    private List<String> values = List.of();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "its level here: fail, warn, info")
    private Verdict.Level level;

    @Option(
            names = "--because",
            paramLabel = "TEXT",
            description = "why it is so here; needed for a new entry")
    private String because;

    @Option(names = "--until", paramLabel = "DAY", description = "last day: 2027-01-31")
    private String until;

    @Mixin private SiteOptions site;

    @Override
    public Integer call() throws IOException {
        try {
            return set();
        } catch (Refused e) {
            return e.told("rules set");
        } catch (SiteEdit.Impossible e) {
            System.err.println("gpuflow rules set: " + e.getMessage());
            return ExitCode.USAGE;
        }
    }

    private int set() throws IOException, Refused, SiteEdit.Impossible {
        SiteRules rules = site.loadOrNew();
        if (rules == null) {
            return ExitCode.USAGE;
        }
        RuleCard card = card(rules, id);
        if (values.isEmpty() && level == null) {
            throw new Refused(ExitCode.USAGE, "say what to set: " + settings(card));
        }
        SiteFile file = SiteFile.open(site);
        boolean fresh = !file.edit().has("set", card.id());
        if (fresh && because == null) {
            throw new Refused(ExitCode.USAGE, "say why with --because: it stands in site.yaml");
        }
        for (Map.Entry<String, String> e : texts(card).entrySet()) {
            file.edit().set(card.id(), e.getKey(), e.getValue(), because, SiteFile.day(until));
        }
        if (level != null) {
            String word = level.name().toLowerCase(Locale.ROOT);
            file.edit().level(card.id(), word, because, SiteFile.day(until));
        }
        file.write();
        file.diff().forEach(System.out::println);
        System.out.println("in " + file.path());
        return ExitCode.OK;
    }

    /** The rule of this id among those in force. */
    static RuleCard card(SiteRules rules, String id) throws Refused {
        String known = rules.policy().id(id);
        if (known == null) {
            String near = RuleGlobs.hint(id, rules.policy().cards().keySet());
            throw new Refused(ExitCode.USAGE, "there is no rule " + id + "; " + near);
        }
        return rules.policy().cards().get(known);
    }

    private Map<String, String> texts(RuleCard card) throws Refused {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String value : values) {
            int equals = value.indexOf('=');
            String name = equals < 1 ? value : value.substring(0, equals);
            SettingSpec spec = card.setting(name);
            if (spec == null) {
                throw new Refused(
                        ExitCode.USAGE,
                        card.id() + " has no setting " + name + "; it has " + settings(card));
            }
            if (equals < 1) {
                throw new Refused(ExitCode.USAGE, "write " + name + "=VALUE");
            }
            texts.put(name, yaml(spec, value.substring(equals + 1)));
        }
        return texts;
    }

    /** The value as site.yaml has it. */
    private static String yaml(SettingSpec spec, String value) throws Refused {
        switch (spec.type()) {
            case "text":
                return SiteEdit.quoted(value);
            case "list":
                return "["
                        + Arrays.stream(value.split(","))
                                .map(v -> SiteEdit.quoted(v.strip()))
                                .collect(Collectors.joining(", "))
                        + "]";
            case "flag":
                if (!value.equals("true") && !value.equals("false")) {
                    throw new Refused(ExitCode.USAGE, spec.name() + " is true or false");
                }
                return value;
            default:
                return number(spec, value);
        }
    }

    private static String number(SettingSpec spec, String value) throws Refused {
        boolean percent = spec.type().equals("share") && value.endsWith("%");
        try {
            double number = Double.parseDouble(value.replaceFirst("%$", "")) / (percent ? 100 : 1);
            if (number >= spec.min() && number <= spec.max()) {
                return percent ? String.valueOf(number) : value;
            }
            throw new Refused(
                    ExitCode.USAGE,
                    spec.name()
                            + " is from "
                            + spec.min()
                            + " to "
                            + spec.max()
                            + ", not "
                            + value);
        } catch (NumberFormatException e) {
            throw new Refused(ExitCode.USAGE, spec.name() + " is a number, not " + value);
        }
    }

    private static String settings(RuleCard card) {
        return card.settings().isEmpty()
                ? "no settings, only --level"
                : card.settings().stream().map(SettingSpec::name).collect(Collectors.joining(", "));
    }
}
