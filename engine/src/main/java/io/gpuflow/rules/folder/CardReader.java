package io.gpuflow.rules.folder;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.Need;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.rules.Veto;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What a rule.yaml may hold. */
public final class CardReader {
    private static final Shape<List<String>> NAMES = Shapes.list(Shapes.text());
    private static final Shape<Map<String, String>> TEXTS =
            Shapes.map(Shapes.text(), Shapes.text());

    private static final Key<String> ID =
            required("id", Shapes.id(), "the folder's name; it stays for ever");
    private static final Key<String> SINCE =
            required("since", Shapes.text(), "version of gpuflow that had it first");
    private static final Key<String> LEVEL =
            required("level", words("ignore", "info", "warn", "fail"), "how bad it is");
    private static final Key<Verdict.Role> ROLE =
            optional(
                    "role",
                    Shapes.word(Verdict.Role.class),
                    Verdict.Role.INFO,
                    "what the finding is to a failure");
    private static final Key<String> CAUSE =
            optional("cause", Shapes.id(), null, "an id of rules/causes.txt");
    private static final Key<Double> CONFIDENCE =
            optional("confidence", Shapes.number(0, 1), 1.0, "how sure it is when it speaks");
    private static final Key<List<Need>> NEEDS =
            optional(
                    "needs",
                    Shapes.list(need()),
                    List.of(),
                    "facts without which its silence means nothing");
    private static final Key<String> VENDOR =
            optional("vendor", words("nvidia", "amd"), null, "whose GPUs it is about");
    private static final Key<Integer> MIN_GPUS =
            optional("min_gpus", Shapes.whole(0, 1024), 0, "fewest GPUs it is about");
    private static final Key<AppliesTo> FOR =
            optional(
                    "for",
                    new MapShape<>(
                            "for",
                            "machines on which its silence means something",
                            List.of(VENDOR, MIN_GPUS),
                            f -> new AppliesTo(f.get(VENDOR), f.get(MIN_GPUS))),
                    AppliesTo.ANY,
                    "machines on which its silence means something");
    private static final Key<String> SAYS =
            required("says", Shapes.text(), "one line, with ${{ name }} for values");
    private static final Key<String> WHY =
            required("why", Shapes.text(), "what it rests on and why it matters");
    private static final Key<List<Verdict.Fix>> FIX =
            optional("fix", Shapes.list(fix()), List.of(), "what to do, the cheapest first");
    private static final Key<List<String>> ADVISES =
            optional("advises", NAMES, List.of(), "experiments that it asks for");
    private static final Key<Map<String, SettingReader.Body>> SETTINGS =
            optional(
                    "settings",
                    Shapes.map(Shapes.text(), SettingReader.shape()),
                    Map.of(),
                    "thresholds that a site may change");
    private static final Key<List<String>> MERGE =
            optional("merge", NAMES, List.of(), "values in which findings told as one may differ");
    private static final Key<List<String>> FOLLOWS =
            optional("follows", NAMES, List.of(), "rules that explain this one when they speak");
    private static final Key<Map<String, String>> CLAIMS =
            optional("claims", TEXTS, Map.of(), "topic: position; no two rules may disagree");
    private static final Key<RuleCard.Costs> COSTS =
            optional("costs", Shapes.word(RuleCard.Costs.class), null, "what it costs the user");
    private static final Key<List<String>> ALIASES =
            optional("aliases", Shapes.list(Shapes.id()), List.of(), "ids that it had before");
    private static final Key<List<Veto>> VETOES =
            optional(
                    "vetoes",
                    Shapes.list(veto()),
                    List.of(),
                    "what must not be done when it speaks: p2p-off, NCCL_P2P_DISABLE=1, topic=position");

    private final String area;

    /**
     * @param area folder above the rule's
     */
    public CardReader(String area) {
        this.area = area;
    }

    /** What the file must look like; it reads null only for a file that is no map. */
    public Shape<RuleCard> shape() {
        return new MapShape<>(
                "a rule",
                "the words and the policy around the condition in rule.drl",
                List.of(
                        ID,
                        SINCE,
                        LEVEL,
                        ROLE,
                        CAUSE,
                        CONFIDENCE,
                        NEEDS,
                        FOR,
                        SAYS,
                        WHY,
                        FIX,
                        ADVISES,
                        SETTINGS,
                        MERGE,
                        FOLLOWS,
                        CLAIMS,
                        COSTS,
                        ALIASES,
                        VETOES),
                this::card);
    }

    private RuleCard card(Fields f) {
        if (f.get(ID) == null
                || f.get(LEVEL) == null
                || f.get(SAYS) == null
                || f.get(WHY) == null) {
            return null;
        }
        if (f.get(SAYS).strip().contains("\n")) {
            f.problem(SAYS, "says must be one line", "move the rest to why");
        }
        String level = f.get(LEVEL);
        List<SettingSpec> settings = new ArrayList<>();
        f.get(SETTINGS).forEach((name, body) -> settings.add(body.named(name)));
        return new RuleCard(
                f.get(ID),
                area,
                f.get(SINCE),
                level(level),
                f.get(ROLE),
                f.get(CAUSE),
                f.get(CONFIDENCE),
                f.get(NEEDS),
                f.get(FOR),
                f.get(SAYS).strip(),
                f.get(WHY).strip(),
                f.get(FIX),
                f.get(ADVISES),
                List.copyOf(settings),
                f.get(MERGE),
                f.get(FOLLOWS),
                f.get(CLAIMS),
                f.get(COSTS) == null ? usualCosts(level) : f.get(COSTS),
                f.get(ALIASES),
                f.get(VETOES),
                List.of());
    }

    /** The level that a word means; null for ignore. */
    public static Verdict.Level level(String word) {
        return word.equals("ignore") ? null : Verdict.Level.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** What findings of a level cost when nothing else is said. */
    public static RuleCard.Costs usualCosts(String level) {
        return switch (level) {
            case "fail" -> RuleCard.Costs.RUN;
            case "warn" -> RuleCard.Costs.RISK;
            default -> RuleCard.Costs.NOTHING;
        };
    }

    /** One of these words. */
    public static Shape<String> words(String... words) {
        Map<String, String> known = new LinkedHashMap<>();
        Stream.of(words).forEach(w -> known.put(w, w));
        return Shapes.word(known);
    }

    /** Something that must not be done. */
    public static Shape<Veto> veto() {
        String words = "an experiment, VARIABLE, VARIABLE=VALUE or topic=position";
        return Shapes.scalar(
                words,
                Map.of("type", "string"),
                (scalar, problems) -> {
                    Veto veto = Veto.parse(scalar.value());
                    if (veto == null) {
                        problems.at(scalar, "must be " + words + ", not " + scalar.value(), "");
                    }
                    return veto;
                });
    }

    /** A fact that a rule needs; there must be such a type and component. */
    public static Shape<Need> need() {
        String words = "a fact type, Type.component or Type(name)";
        return Shapes.scalar(words, Map.of("type", "string"), CardReader::need);
    }

    private static Need need(YamlNode.Scalar scalar, Problems problems) {
        Need need = Need.parse(scalar.value());
        if (need == null) {
            problems.at(
                    scalar, scalar.value() + " is no fact type", "write Type or Type.component");
            return null;
        }
        Class<?> type = FactTypes.named(need.type());
        if (type == null) {
            List<String> known = FactTypes.all().stream().map(Class::getSimpleName).toList();
            String next = io.gpuflow.expr.Nearest.hint(need.type(), known);
            problems.at(scalar, "there is no fact " + need.type(), next);
            return null;
        }
        List<String> components =
                Stream.of(type.getRecordComponents()).map(c -> c.getName()).toList();
        if (need.component() != null && !components.contains(need.component())) {
            String next = io.gpuflow.expr.Nearest.hint(need.component(), components);
            problems.at(scalar, need.type() + " has no component " + need.component(), next);
            return null;
        }
        return need;
    }

    /** A remedy. */
    public static Shape<Verdict.Fix> fix() {
        Key<String> kind =
                required("kind", words("test", "workaround", "fix"), "what sort of remedy");
        Key<String> who = required("who", words("user", "admin"), "who can do it");
        Key<String> text = required("text", Shapes.text(), "what to do");
        Key<Map<String, String>> env = optional("env", TEXTS, Map.of(), "variables to set for it");
        Key<List<String>> unset = optional("unset", NAMES, List.of(), "variables to unset");
        Key<String> cost = required("cost", Shapes.text(), "what it costs; none is an answer");
        return new MapShape<>(
                "a fix",
                "something to do",
                List.of(kind, who, text, env, unset, cost),
                f -> {
                    Map<String, String> all = new LinkedHashMap<>(f.get(env));
                    f.get(unset).forEach(name -> all.put(name, null));
                    return new Verdict.Fix(
                            f.get(kind),
                            f.get(who),
                            f.get(text),
                            Collections.unmodifiableMap(all),
                            f.get(cost));
                });
    }
}
