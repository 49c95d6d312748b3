package io.gpuflow.rules.folder;

import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.Need;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reads rule.yaml, telling every problem with its place. */
public final class CardReader {
    private static final Set<String> KEYS =
            Set.of(
                    "id",
                    "since",
                    "level",
                    "role",
                    "cause",
                    "confidence",
                    "needs",
                    "for",
                    "says",
                    "why",
                    "fix",
                    "advises",
                    "settings",
                    "merge",
                    "follows",
                    "claims",
                    "costs");
    private static final Set<String> FIX_KEYS =
            Set.of("kind", "who", "text", "env", "unset", "cost");
    private static final Set<String> SETTING_KEYS =
            Set.of("type", "unit", "default", "min", "max", "help");

    private final Problems problems;

    public CardReader(Problems problems) {
        this.problems = problems;
    }

    /** The card, or null when it can't be made of this file. */
    public RuleCard read(String area, YamlNode root) {
        if (root == null || root.map == null) {
            return null;
        }
        unknownKeys(root, KEYS);
        Fields f = new Fields(root);
        String level = f.oneOf("level", List.of("ignore", "info", "warn", "fail"), "info");
        String id = f.required("id");
        RuleCard card =
                new RuleCard(
                        id,
                        area,
                        f.required("since"),
                        level.equals("ignore") ? null : Verdict.Level.valueOf(upper(level)),
                        Verdict.Role.valueOf(upper(f.oneOf("role", roles(), "info"))),
                        f.text("cause", null),
                        f.number("confidence", 1, 0, 1),
                        needs(root.map.get("needs")),
                        appliesTo(root.map.get("for")),
                        f.required("says"),
                        f.required("why"),
                        fixes(root.map.get("fix")),
                        texts(root.map.get("advises")),
                        settings(root.map.get("settings")),
                        texts(root.map.get("merge")),
                        texts(root.map.get("follows")),
                        map(root.map.get("claims")),
                        RuleCard.Costs.valueOf(
                                upper(f.oneOf("costs", costs(), defaultCosts(level)))));
        if (card.says().contains("\n")) {
            problems.add(root.map.get("says"), "says must be one line");
        }
        return id == null ? null : card;
    }

    private static List<String> roles() {
        return lower(Verdict.Role.values());
    }

    private static List<String> costs() {
        return lower(RuleCard.Costs.values());
    }

    private static List<String> lower(Enum<?>[] values) {
        return Stream.of(values).map(v -> v.name().toLowerCase(Locale.ROOT)).toList();
    }

    private static String defaultCosts(String level) {
        return switch (level) {
            case "fail" -> "run";
            case "warn" -> "risk";
            default -> "nothing";
        };
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private List<Need> needs(YamlNode node) {
        List<Need> needs = new ArrayList<>();
        for (YamlNode item : items(node)) {
            Need need = item.text == null ? null : Need.parse(item.text);
            if (need == null || FactTypes.named(need.type()) == null) {
                problems.add(
                        item,
                        "needs names a fact type or Type.component, not "
                                + item.text
                                + Nearest.hint(need == null ? "" : need.type(), typeNames()));
                continue;
            }
            if (need.component() != null
                    && Stream.of(FactTypes.named(need.type()).getRecordComponents())
                            .noneMatch(c -> c.getName().equals(need.component()))) {
                problems.add(item, need.type() + " has no component " + need.component());
                continue;
            }
            needs.add(need);
        }
        return List.copyOf(needs);
    }

    private static Collection<String> typeNames() {
        return FactTypes.all().stream().map(Class::getSimpleName).toList();
    }

    private AppliesTo appliesTo(YamlNode node) {
        if (node == null || node.map == null) {
            return AppliesTo.ANY;
        }
        unknownKeys(node, Set.of("vendor", "min_gpus"));
        Fields f = new Fields(node);
        return new AppliesTo(
                f.oneOf("vendor", List.of("nvidia", "amd"), null),
                (int) f.number("min_gpus", 0, 0, 1024));
    }

    private List<Verdict.Fix> fixes(YamlNode node) {
        List<Verdict.Fix> fixes = new ArrayList<>();
        for (YamlNode item : items(node)) {
            if (item.map == null) {
                problems.add(item, "a fix is { kind, who, text, cost }");
                continue;
            }
            unknownKeys(item, FIX_KEYS);
            Fields f = new Fields(item);
            Map<String, String> env = new LinkedHashMap<>(map(item.map.get("env")));
            texts(item.map.get("unset")).forEach(name -> env.put(name, null));
            fixes.add(
                    new Verdict.Fix(
                            f.oneOf("kind", List.of("test", "workaround", "fix"), "fix"),
                            f.oneOf("who", List.of("user", "admin"), "user"),
                            f.required("text"),
                            Collections.unmodifiableMap(env),
                            f.required("cost")));
        }
        return List.copyOf(fixes);
    }

    private List<SettingSpec> settings(YamlNode node) {
        List<SettingSpec> settings = new ArrayList<>();
        if (node != null && node.map != null) {
            node.map.forEach((name, value) -> settings.add(setting(name, value)));
        }
        return List.copyOf(settings);
    }

    private SettingSpec setting(String name, YamlNode node) {
        if (node.map == null) {
            problems.add(node, "a setting is { type, default, help }");
            return new SettingSpec(name, "number", "", 0, "", List.of(), 0, 0, "");
        }
        unknownKeys(node, SETTING_KEYS);
        Fields f = new Fields(node);
        String type = f.oneOf("type", SettingSpec.TYPES, "number");
        boolean share = type.equals("share");
        double min = f.number("min", share ? 0 : Double.NEGATIVE_INFINITY, -1e18, 1e18);
        double max = f.number("max", share ? 1 : Double.POSITIVE_INFINITY, -1e18, 1e18);
        double number = 0;
        String text = "";
        List<String> list = List.of();
        YamlNode value = node.map.get("default");
        if (value == null) {
            problems.add(node, "the setting " + name + " has no default");
        } else if (type.equals("list")) {
            list = texts(value);
        } else if (type.equals("text")) {
            text = value.text == null ? "" : value.text;
        } else if (type.equals("flag")) {
            number = f.oneOf("default", List.of("true", "false"), "false").equals("true") ? 1 : 0;
        } else {
            number = f.number("default", 0, min, max);
        }
        return new SettingSpec(
                name, type, f.text("unit", ""), number, text, list, min, max, f.required("help"));
    }

    private List<YamlNode> items(YamlNode node) {
        if (node == null) {
            return List.of();
        }
        if (node.list == null) {
            problems.add(node, "must be a list");
            return List.of();
        }
        return node.list;
    }

    private List<String> texts(YamlNode node) {
        return items(node).stream().map(n -> n.text).toList();
    }

    private Map<String, String> map(YamlNode node) {
        Map<String, String> out = new LinkedHashMap<>();
        if (node != null && node.map != null) {
            node.map.forEach((k, v) -> out.put(k, v.text));
        }
        return Collections.unmodifiableMap(out);
    }

    private void unknownKeys(YamlNode node, Set<String> known) {
        node.keys.forEach(
                (name, key) -> {
                    if (!known.contains(name)) {
                        problems.add(
                                key, "no key " + name + Nearest.hint(name, new TreeSet<>(known)));
                    }
                });
    }

    /** Typed access to one mapping's scalars. */
    private final class Fields {
        private final YamlNode node;

        Fields(YamlNode node) {
            this.node = node;
        }

        String text(String key, String otherwise) {
            YamlNode value = node.map.get(key);
            return value == null || value.text == null ? otherwise : value.text.strip();
        }

        String required(String key) {
            String value = text(key, null);
            if (value == null || value.isEmpty()) {
                problems.add(node, key + " is missing");
                return key.equals("id") ? null : "";
            }
            return value;
        }

        String oneOf(String key, List<String> known, String otherwise) {
            String value = text(key, otherwise);
            if (value != null && !known.contains(value)) {
                problems.add(node.map.get(key), key + " is " + value + Nearest.hint(value, known));
                return otherwise == null ? known.get(0) : otherwise;
            }
            return value;
        }

        double number(String key, double otherwise, double min, double max) {
            String value = text(key, null);
            if (value == null) {
                return otherwise;
            }
            try {
                double number = Double.parseDouble(value);
                if (number >= min && number <= max) {
                    return number;
                }
                problems.add(node.map.get(key), key + " must be from " + min + " to " + max);
            } catch (NumberFormatException e) {
                problems.add(node.map.get(key), key + " must be a number, not " + value);
            }
            return otherwise;
        }
    }
}
