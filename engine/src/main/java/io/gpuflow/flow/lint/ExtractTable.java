package io.gpuflow.flow.lint;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.gpuflow.expr.Nearest;
import io.gpuflow.expr.Patterns;
import io.gpuflow.flow.Extract;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code extract: {regex: "temp=(?P<temp>\\d+)", types: {temp: int}, json: {free: /mem/free}}}. */
final class ExtractTable {
    private static final Key<List<Pattern>> REGEX =
            Key.optional(
                    "regex",
                    Shapes.oneOrMore(pattern()),
                    List.of(),
                    "patterns (RE2); each named group is an output");
    private static final Key<Map<String, Extract.ValueType>> TYPES =
            Key.optional(
                    "types",
                    Shapes.map(WorkflowShapes.name(), Shapes.word(Extract.ValueType.class)),
                    Map.of(),
                    "types of the named groups; text when not given");
    private static final Key<Map<String, String>> JSON =
            Key.optional(
                    "json",
                    Shapes.map(
                            WorkflowShapes.name(),
                            Shapes.text("a JSON pointer such as /gpus/0/name", "(/[^\\n]*)?")),
                    Map.of(),
                    "outputs by JSON pointer");

    static final Shape<Extract> SHAPE =
            new MapShape<>(
                            "extract",
                            "outputs taken from what the command prints",
                            List.of(REGEX, TYPES, JSON),
                            ExtractTable::extract)
                    .oneOf(REGEX, JSON)
                    .only(TYPES, REGEX);

    private ExtractTable() {}

    private static Shape<Pattern> pattern() {
        return Shapes.scalar(
                "a pattern with named groups",
                Map.of("type", "string"),
                (scalar, problems) -> {
                    try {
                        Pattern pattern = Patterns.compile(scalar.value());
                        if (pattern.namedGroups().isEmpty()) {
                            String next = "name what you want: (?P<bus_gbps>[0-9.]+)";
                            problems.at(scalar, "the pattern has no named group", next);
                        }
                        return pattern;
                    } catch (PatternSyntaxException e) {
                        problems.at(scalar, Patterns.problem(e), Patterns.HINT);
                        return null;
                    }
                });
    }

    private static Extract extract(Fields f) {
        Set<String> groups = new LinkedHashSet<>();
        for (Pattern pattern : f.get(REGEX)) {
            for (String group : pattern.namedGroups().keySet()) {
                if (!groups.add(group)) {
                    f.problem(REGEX, "two patterns have a group " + group, "rename one");
                }
            }
        }
        if (f.has(REGEX) && f.node(TYPES) instanceof YamlNode.Entries types) {
            for (YamlNode.Entry type : types.entries()) {
                String name = type.key().value();
                if (!groups.contains(name)) {
                    String says = "no pattern has a group " + name;
                    f.problems().at(type.key(), says, Nearest.hint(name, groups));
                }
            }
        }
        return new Extract(f.get(REGEX), f.get(TYPES), f.get(JSON));
    }
}
