package io.gpuflow.flow.lint;

import io.gpuflow.expr.Template;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Variables; null removes one, which an empty value does not. */
final class EnvShape implements Shape<Map<String, Template>> {
    static final Shape<Map<String, Template>> SHAPE = new EnvShape();

    private static final Shape<String> NAME =
            Shapes.text("a variable's name such as NCCL_DEBUG", "[A-Za-z_][A-Za-z0-9_]*");
    private static final Shape<Template> VALUE = Expressions.template();

    @Override
    public Map<String, Template> read(YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Entries entries)) {
            problems.at(node, "must be " + words() + ", this is " + node.words(), "");
            return null;
        }
        Map<String, Template> env = new LinkedHashMap<>();
        for (YamlNode.Entry entry : entries.entries()) {
            String name = NAME.read(entry.key(), problems);
            YamlNode value = entry.value();
            if (value instanceof YamlNode.Scalar scalar && scalar.isEmpty()) {
                String next = "write \"\" for an empty value, null to remove the variable";
                problems.at(entry.key(), entry.key().value() + " has no value", next);
            } else if (name != null) {
                env.put(name, isNull(value) ? null : VALUE.read(value, problems));
            }
        }
        return env;
    }

    private static boolean isNull(YamlNode node) {
        return node instanceof YamlNode.Scalar scalar && scalar.words().equals("null");
    }

    @Override
    public String words() {
        return "a map from variables to values";
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of(
                "type",
                "object",
                "propertyNames",
                NAME.schema(),
                "additionalProperties",
                Map.of("type", List.of("string", "number", "boolean", "null")));
    }
}
