package io.gpuflow.rules.folder;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Reads cases.yaml, telling every problem with its place. */
public final class CaseReader {
    private static final Set<String> KEYS = Set.of("case", "given", "sample", "expect");
    private static final Set<String> EXPECT_KEYS =
            Set.of("fires", "says", "why", "advises", "ranks", "count");

    private final Problems problems;

    public CaseReader(Problems problems) {
        this.problems = problems;
    }

    /** The cases in order; those that can't be read are left out, their problems told. */
    public List<RuleCase> read(YamlNode root) {
        List<RuleCase> cases = new ArrayList<>();
        if (root == null || root.list == null) {
            return cases;
        }
        for (YamlNode node : root.list) {
            RuleCase read = readCase(node);
            if (read != null) {
                cases.add(read);
            }
        }
        return cases;
    }

    private RuleCase readCase(YamlNode node) {
        if (node.map == null) {
            problems.add(node, "a case is { case, given, expect }");
            return null;
        }
        unknownKeys(node, KEYS);
        YamlNode name = node.map.get("case");
        YamlNode expect = node.map.get("expect");
        if (name == null || name.text == null || expect == null) {
            problems.add(node, "a case needs case: (its name) and expect:");
            return null;
        }
        YamlNode sample = node.map.get("sample");
        RuleCase.Expectation expected = expectation(expect);
        return expected == null
                ? null
                : new RuleCase(
                        name.text,
                        node.at(),
                        given(node.map.get("given")),
                        sample == null ? null : sample.text,
                        expected);
    }

    private List<Observed> given(YamlNode node) {
        List<Observed> given = new ArrayList<>();
        if (node == null) {
            return given;
        }
        if (node.list == null) {
            problems.add(node, "given is a list of facts");
            return given;
        }
        FactReader reader = new FactReader(problems);
        for (YamlNode item : node.list) {
            Fact fact = reader.read(item);
            if (fact != null) {
                given.add(new Observed(fact, new Source(item.file, item.line, "")));
            }
        }
        return given;
    }

    private RuleCase.Expectation expectation(YamlNode node) {
        if (node.text != null) {
            if (Set.of("quiet", "unknown").contains(node.text)) {
                return new RuleCase.Expectation(
                        RuleCase.Outcome.valueOf(node.text.toUpperCase(Locale.ROOT)),
                        List.of(),
                        null,
                        List.of(),
                        null,
                        null);
            }
            problems.add(node, "expect is quiet, unknown or { fires: true, … }");
            return null;
        }
        if (node.map == null) {
            problems.add(node, "expect is quiet, unknown or { fires: true, … }");
            return null;
        }
        unknownKeys(node, EXPECT_KEYS);
        YamlNode why = node.map.get("why");
        YamlNode count = node.map.get("count");
        YamlNode ranks = node.map.get("ranks");
        return new RuleCase.Expectation(
                RuleCase.Outcome.FIRES,
                texts(node.map.get("says")),
                why == null ? null : why.text,
                texts(node.map.get("advises")),
                ranks == null ? null : texts(ranks).stream().map(Integer::valueOf).toList(),
                count == null ? null : Integer.valueOf(count.text));
    }

    private static List<String> texts(YamlNode node) {
        if (node == null) {
            return List.of();
        }
        return node.list == null
                ? List.of(node.text)
                : node.list.stream().map(n -> n.text).toList();
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
}
