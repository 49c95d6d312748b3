package io.gpuflow.rules.site;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.expr.Expr;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.site.SitePolicy.Addition;
import io.gpuflow.rules.site.SitePolicy.Change;
import io.gpuflow.rules.site.SitePolicy.Exemption;
import io.gpuflow.rules.site.SitePolicy.Expected;
import io.gpuflow.rules.site.SitePolicy.Figure;
import io.gpuflow.rules.site.SitePolicy.Ignored;
import io.gpuflow.rules.site.SitePolicy.Kind;
import io.gpuflow.rules.site.SitePolicy.Named;
import io.gpuflow.rules.site.SitePolicy.Reason;
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
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a site.yaml may hold. */
public final class SiteReader {
    /** More entries than this in one list are no policy any more. */
    private static final int MOST = 10_000;

    private static final Key<Integer> VERSION =
            required("gpuflow-site", Shapes.whole(1, 1), "version of this form: 1");
    private static final Key<String> ABOUT =
            optional("about", Shapes.text(), "", "one line for people");

    static final Key<String> BECAUSE =
            required("because", Shapes.text(), "why it is so here, for whoever reads it next year");
    static final Key<LocalDate> UNTIL =
            optional("until", date(), null, "last day on which it holds: 2027-01-31");

    private static final Key<Named> RULE =
            required("rule", named(), "id of a rule; gpuflow rules list names them");
    private static final Key<Expr> IF =
            required(
                    "if",
                    Expressions.condition(),
                    "when it holds: over facts, and values, hosts, ranks of the finding");
    private static final Key<Map<Named, YamlNode>> TO =
            optional(
                    "to",
                    namedMap(Shapes.node()),
                    Map.of(),
                    "settings of the rule with their values; gpuflow explain ID names them");
    private static final Key<Verdict.Level> LEVEL =
            optional("level", Shapes.word(Verdict.Level.class), null, "its level here");

    private static final Key<List<Change>> SET =
            optional("set", list(change()), List.of(), "settings and levels that differ here");
    private static final Key<List<Ignored>> IGNORE =
            optional("ignore", list(ignored()), List.of(), "rules that do not speak here");
    private static final Key<List<Exemption>> EXCEPT =
            optional("except", list(exemption()), List.of(), "findings that are not told");
    private static final Key<List<Expected>> EXPECTED =
            optional(
                    "expected",
                    list(expected()),
                    List.of(),
                    "figures that machines of a type must reach");
    private static final Key<List<Addition>> ADD =
            optional("add", list(addition()), List.of(), "own rules, signatures and workflows");

    private SiteReader() {}

    /** What the file must look like. */
    public static Shape<SitePolicy> shape() {
        return new MapShape<>(
                "a site policy",
                "how things are done here: what differs from the shipped rules, and why",
                List.of(VERSION, ABOUT, SET, IGNORE, EXCEPT, EXPECTED, ADD),
                f ->
                        new SitePolicy(
                                Path.of(f.at().file()),
                                f.get(ABOUT),
                                f.get(SET),
                                f.get(IGNORE),
                                f.get(EXCEPT),
                                f.get(EXPECTED),
                                f.get(ADD)));
    }

    /** Reads a file; null when problems were reported that keep it from being looked at. */
    public static SitePolicy read(Path file, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        return document == null ? null : shape().read(document.root(), problems);
    }

    private static <T> Shape<List<T>> list(Shape<T> item) {
        return Shapes.list(item, 0, MOST);
    }

    static Reason reason(Fields f) {
        return new Reason(f.get(BECAUSE), f.get(UNTIL), f.at());
    }

    private static Shape<Change> change() {
        return new MapShape<>(
                "a change",
                "changes a rule without copying it",
                List.of(RULE, TO, LEVEL, BECAUSE, UNTIL),
                f -> {
                    if (!f.has(TO) && !f.has(LEVEL)) {
                        f.problem(RULE, "it changes nothing", "add to: or level:");
                    }
                    return f.get(RULE) == null
                            ? null
                            : new Change(f.get(RULE), f.get(TO), f.get(LEVEL), reason(f));
                });
    }

    private static Shape<Ignored> ignored() {
        return new MapShape<>(
                "an ignored rule",
                "a rule that does not speak here",
                List.of(RULE, BECAUSE, UNTIL),
                f -> f.get(RULE) == null ? null : new Ignored(f.get(RULE), reason(f)));
    }

    private static Shape<Exemption> exemption() {
        return new MapShape<>(
                "an exception",
                "findings of a rule that are not told when a condition is known to hold",
                List.of(RULE, IF, BECAUSE, UNTIL),
                f ->
                        f.get(RULE) == null || f.get(IF) == null
                                ? null
                                : new Exemption(f.get(RULE), f.get(IF), f.node(IF), reason(f)));
    }

    static Shape<Expected> expected() {
        Key<Named> machine = required("machine", named(), "a name for this type of machine");
        Key<Expr> when =
                required("if", Expressions.condition(), "which machines these are: over facts");
        Key<Map<Named, Figure>> figures =
                required(
                        "figures",
                        namedMap(figure()),
                        "bus bandwidth by collective: all_reduce: { target: 450, warn: -10% }");
        return new MapShape<>(
                "an expectation",
                "what machines of one type reach when they are well",
                List.of(machine, when, figures, BECAUSE, UNTIL),
                f ->
                        f.get(machine) == null || f.get(when) == null || f.get(figures) == null
                                ? null
                                : new Expected(
                                        f.get(machine),
                                        f.get(when),
                                        f.node(when),
                                        f.get(figures),
                                        reason(f)));
    }

    private static Shape<Figure> figure() {
        Key<Double> target =
                required("target", Shapes.number(1e-6, 1e6), "GB/s of a machine that is well");
        Key<Double> warn = optional("warn", band(), null, "warn from so far below on: -10%");
        Key<Double> fail = optional("fail", band(), null, "fail from so far below on: -25%");
        return new MapShape<>(
                "a figure",
                "what is expected, with its band",
                List.of(target, warn, fail),
                f -> {
                    if (f.get(warn) == null && f.get(fail) == null) {
                        f.problem(target, "the figure has no band", "add warn: -10% or fail: -25%");
                    } else if (f.get(warn) != null
                            && f.get(fail) != null
                            && f.get(fail) < f.get(warn)) {
                        f.problem(fail, "it fails before it warns", "fail must be further below");
                    }
                    return f.get(target) == null
                            ? null
                            : new Figure(f.get(target), f.get(warn), f.get(fail), f.at());
                });
    }

    private static Shape<Addition> addition() {
        Key<YamlNode> check = optional("check", Shapes.node(), null, "a check that stands here");
        Map<Kind, Key<String>> paths = new LinkedHashMap<>();
        path(Kind.CHECKS, "a file of checks, or a folder of such files", paths);
        path(Kind.RULES, "a folder AREA/ID/ of rules in DRL", paths);
        path(Kind.SIGNATURES, "a file or folder of log signatures", paths);
        path(Kind.WORKFLOWS, "a folder of workflows", paths);
        path(Kind.PARSERS, "a file of parsers for own tools", paths);
        path(Kind.EXPECTED, "a file with a list of expected figures", paths);
        path(Kind.BASELINES, "a folder of what gpuflow baseline save --to wrote", paths);
        List<Key<?>> keys = new java.util.ArrayList<>(List.of(check));
        keys.addAll(paths.values());
        Key<?>[] choice = keys.toArray(Key<?>[]::new);
        keys.addAll(List.of(BECAUSE, UNTIL));
        return new MapShape<>(
                        "an addition",
                        "something of the site's own",
                        keys,
                        f -> {
                            if (f.node(check) != null) {
                                return new Addition(Kind.CHECK, null, f.node(check), reason(f));
                            }
                            for (Map.Entry<Kind, Key<String>> e : paths.entrySet()) {
                                String path = f.get(e.getValue());
                                if (path != null) {
                                    YamlNode node = f.node(e.getValue());
                                    return new Addition(e.getKey(), path, node, reason(f));
                                }
                            }
                            return null;
                        })
                .oneOf(choice);
    }

    private static void path(Kind kind, String help, Map<Kind, Key<String>> paths) {
        String name = kind.name().toLowerCase(java.util.Locale.ROOT);
        String words = "a path relative to this file";
        paths.put(kind, optional(name, Shapes.text(words, "[^\\x00]{1,4096}"), null, help));
    }

    /** A name with the place where it stands. */
    static Shape<Named> named() {
        return Shapes.scalar(
                "an id",
                Map.of("type", "string"),
                (scalar, problems) -> new Named(scalar.value(), scalar.at()));
    }

    private static <T> Shape<Map<Named, T>> namedMap(Shape<T> value) {
        return new NamedMap<>(value);
    }

    /** A map whose keys keep their places. */
    private record NamedMap<T>(Shape<T> value) implements Shape<Map<Named, T>> {
        @Override
        public Map<Named, T> read(YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Entries entries)) {
                problems.at(node, "must be " + words() + ", this is " + node.words(), "");
                return null;
            }
            Map<Named, T> map = new LinkedHashMap<>();
            for (YamlNode.Entry entry : entries.entries()) {
                T read = value.read(entry.value(), problems);
                if (read != null) {
                    map.put(new Named(entry.key().value(), entry.key().at()), read);
                }
            }
            return map;
        }

        @Override
        public String words() {
            return "a map to " + value.words();
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("type", "object", "additionalProperties", value.schema());
        }
    }

    private static Shape<LocalDate> date() {
        String words = "a day such as 2027-01-31";
        return Shapes.scalar(
                words,
                Map.of("type", "string", "format", "date"),
                (scalar, problems) -> {
                    try {
                        return LocalDate.parse(scalar.value());
                    } catch (DateTimeParseException e) {
                        problems.at(scalar, "must be " + words + ", this is " + scalar.value(), "");
                        return null;
                    }
                });
    }

    /** {@code -10%} as 0.1. */
    private static Shape<Double> band() {
        String words = "so far below the target, as -10%";
        return Shapes.scalar(
                words,
                Map.of("type", "string", "pattern", "^-[0-9]{1,2}(\\.[0-9]+)?%$"),
                (scalar, problems) -> {
                    String text = scalar.value();
                    if (!text.matches("-[0-9]{1,2}(\\.[0-9]{1,6})?%")) {
                        problems.at(scalar, "must be " + words + ", this is " + text, "");
                        return null;
                    }
                    return Double.parseDouble(text.substring(1, text.length() - 1)) / 100;
                });
    }
}
