package io.gpuflow.flow.lint;

import io.gpuflow.expr.Template;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.List;
import java.util.Map;

/** An axis of a matrix: a list of values, or an expression that gives one. */
final class MatrixShape implements Shape<Object> {
    static final Shape<Map<String, Object>> SHAPE =
            Shapes.map(WorkflowShapes.name(), new MatrixShape());

    private static final Shape<Template> EXPRESSION = Expressions.template();
    private static final Shape<List<Object>> LIST =
            Shapes.list(Expressions.anyWithTemplates(), 1, 256);

    @Override
    public Object read(YamlNode node, Problems problems) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.isEmpty()) {
            Template template = EXPRESSION.read(node, problems);
            if (template == null || template.isExpression()) {
                return template;
            }
            String next = "write [" + scalar.value() + "]";
            problems.at(node, "an axis of a matrix is a list, this is one value", next);
            return null;
        }
        return LIST.read(node, problems);
    }

    @Override
    public String words() {
        return "a list of values, or \"${{ … }}\" that gives one";
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> text = Map.of("type", "string", "pattern", "^\\$\\{\\{.*\\}\\}$");
        return Map.of("anyOf", List.of(LIST.schema(), text));
    }
}
