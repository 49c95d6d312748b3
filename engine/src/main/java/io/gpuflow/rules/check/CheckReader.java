package io.gpuflow.rules.check;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Type;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.AppliesTo;
import io.gpuflow.rules.FactScope;
import io.gpuflow.rules.Need;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.Veto;
import io.gpuflow.rules.folder.CardReader;
import io.gpuflow.rules.folder.CaseReader;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlDocument;
import io.gpuflow.yaml.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a check in YAML may hold. */
public final class CheckReader {
    /** Names that a check's expressions may use. */
    private static final class Names {
        static final Type.Fields ALL = Type.fields("a check", Map.of("facts", FactScope.type()));
    }

    private static final Shape<List<String>> NAMES = Shapes.list(Shapes.text());
    private static final int MOST_CHECKS = 10_000;

    private static final Key<String> ID =
            required("id", Shapes.id(), "its name; it stays for ever");
    private static final Key<String> AREA =
            optional(
                    "area",
                    Shapes.text("site, or site_ and an area", "site(_[a-z]+)?"),
                    "site",
                    "site: judged with every step; site_bench: judged with bench");
    private static final Key<String> LEVEL =
            required(
                    "level",
                    CardReader.words("ignore", "info", "warn", "fail"),
                    "how bad it is; ignore: it is not told, but its vetoes hold");
    private static final Key<Expr> WHEN =
            required("when", Expressions.condition(), "it speaks when this is true: over facts");
    private static final Key<Template> SAYS =
            required("says", Expressions.template(), "one line; ${{ }} takes any expression");
    private static final Key<Template> WHY =
            optional("why", Expressions.template(), null, "what it rests on and why it matters");
    private static final Key<List<Verdict.Fix>> FIX =
            optional("fix", Shapes.list(CardReader.fix()), List.of(), "what to do");
    private static final Key<List<Need>> NEEDS =
            optional(
                    "needs",
                    Shapes.list(CardReader.need()),
                    List.of(),
                    "further facts without which its silence means nothing");
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
    private static final Key<List<String>> ADVISES =
            optional("advises", NAMES, List.of(), "experiments that it asks for");
    private static final Key<List<Veto>> VETOES =
            optional(
                    "vetoes",
                    Shapes.list(CardReader.veto()),
                    List.of(),
                    "what must not be done: p2p-off, NCCL_P2P_DISABLE=1, topic=position");
    private static final Key<List<String>> FOLLOWS =
            optional("follows", NAMES, List.of(), "rules that explain this one when they speak");
    private static final Key<RuleCard.Costs> COSTS =
            optional("costs", Shapes.word(RuleCard.Costs.class), null, "what it costs the user");
    private static final Key<List<RuleCase>> CASES =
            optional("cases", CaseReader.shape(), List.of(), "facts and what it must make of them");

    private CheckReader() {}

    /** One check. */
    public static Shape<Check> shape() {
        return new MapShape<>(
                "a check",
                "a rule in YAML: it can only compare facts, and runs nothing",
                List.of(
                        ID,
                        AREA,
                        LEVEL,
                        WHEN,
                        SAYS,
                        WHY,
                        FIX,
                        NEEDS,
                        ROLE,
                        CAUSE,
                        CONFIDENCE,
                        ADVISES,
                        VETOES,
                        FOLLOWS,
                        COSTS,
                        CASES),
                CheckReader::check);
    }

    /** What a file of checks may hold: one, or a list of them. */
    public static Shape<List<Check>> fileShape() {
        Shape<Check> one = shape();
        Shape<List<Check>> list = Shapes.list(one, 1, MOST_CHECKS);
        return new Shape<>() {
            @Override
            public List<Check> read(YamlNode node, Problems problems) {
                if (node instanceof YamlNode.Items) {
                    return list.read(node, problems);
                }
                Check check = one.read(node, problems);
                return check == null ? List.of() : List.of(check);
            }

            @Override
            public String words() {
                return "a check, or a list of checks";
            }

            @Override
            public Map<String, Object> schema() {
                return Map.of("anyOf", List.of(one.schema(), list.schema()));
            }
        };
    }

    /** The checks of a file; those that were reported are left out. */
    public static List<Check> read(Path file, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        List<Check> checks = document == null ? null : fileShape().read(document.root(), problems);
        return checks == null ? List.of() : checks;
    }

    private static Check check(Fields f) {
        int before = f.problems().count();
        checkNames(f, WHEN, f.get(WHEN));
        checkNames(f, SAYS);
        checkNames(f, WHY);
        if (f.get(SAYS) != null && f.get(SAYS).toString().strip().contains("\n")) {
            f.problem(SAYS, "says must be one line", "move the rest to why");
        }
        List<Check.FixWords> fixes = fixes(f);
        if (f.problems().count() > before
                || f.get(ID) == null
                || f.get(LEVEL) == null
                || f.get(WHEN) == null
                || f.get(SAYS) == null) {
            return null;
        }
        Set<String> reads = reads(f.get(WHEN));
        return new Check(
                card(f, reads),
                f.get(WHEN),
                null,
                f.get(SAYS),
                f.get(WHY),
                fixes,
                reads,
                f.get(CASES),
                f.at());
    }

    /** Simple names of the fact types that a condition names. */
    public static Set<String> reads(Expr when) {
        Set<String> reads = new TreeSet<>();
        for (String part : when.parts("facts")) {
            if (FactScope.named(part) != null) {
                reads.add(FactScope.named(part).getSimpleName());
            }
        }
        return reads;
    }

    private static RuleCard card(Fields f, Set<String> reads) {
        String level = f.get(LEVEL);
        Set<Need> needs = new LinkedHashSet<>(f.get(NEEDS));
        return new RuleCard(
                f.get(ID),
                f.get(AREA),
                "",
                CardReader.level(level),
                f.get(ROLE),
                f.get(CAUSE),
                f.get(CONFIDENCE),
                List.copyOf(needs),
                AppliesTo.ANY,
                f.get(SAYS).toString().strip(),
                f.get(WHY) == null ? "" : f.get(WHY).toString().strip(),
                f.get(FIX),
                f.get(ADVISES),
                List.of(),
                List.of(),
                f.get(FOLLOWS),
                Map.of(),
                f.get(COSTS) == null ? CardReader.usualCosts(level) : f.get(COSTS),
                List.of(),
                f.get(VETOES),
                List.of());
    }

    private static List<Check.FixWords> fixes(Fields f) {
        List<Check.FixWords> fixes = new ArrayList<>();
        if (f.node(FIX) instanceof YamlNode.Items items) {
            for (YamlNode item : items.items()) {
                if (item instanceof YamlNode.Entries fix) {
                    Template text = template(fix.get("text"), f.problems());
                    Template cost = template(fix.get("cost"), f.problems());
                    fixes.add(new Check.FixWords(text, cost));
                }
            }
        }
        return fixes;
    }

    private static Template template(YamlNode node, Problems problems) {
        if (node == null) {
            return Template.plain("");
        }
        Template read = Expressions.template().read(node, problems);
        if (read != null) {
            Expressions.check(node, Names.ALL, problems);
        }
        return read == null ? Template.plain("") : read;
    }

    private static void checkNames(Fields f, Key<Template> key) {
        if (f.get(key) != null && f.node(key) != null) {
            Expressions.check(f.node(key), Names.ALL, f.problems());
        }
    }

    private static void checkNames(Fields f, Key<Expr> key, Expr expr) {
        if (expr == null) {
            return;
        }
        checkCondition(expr, f.node(key), Names.ALL, f.problems());
    }

    /** Checks names and types of a condition, and that it is one. */
    public static void checkCondition(
            Expr expr, YamlNode node, Type.Fields scope, Problems problems) {
        Type type = Expressions.check(expr, node, scope, problems);
        if (type != Type.BOOL && type != Type.ANY) {
            problems.at(node, "must be true or false, this is " + type, "compare it: … == 8");
        }
    }
}
