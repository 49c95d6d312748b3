package io.gpuflow.flow.lint;

import io.gpuflow.expr.Template;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.List;
import java.util.Map;

/** A program with its arguments; a line for a shell is refused with the list it should be. */
final class ArgvShape implements Shape<List<Template>> {
    private static final Shape<List<Template>> LIST = Shapes.list(Expressions.template(), 1, 1000);

    @Override
    public List<Template> read(YamlNode node, Problems problems) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.isEmpty()) {
            String list = String.join(", ", scalar.value().strip().split("\\s+"));
            String says = "cmd: is a list, since there is no shell to split it";
            problems.at(node, says, "write [" + list + "], or use sh: for a shell");
            return null;
        }
        return LIST.read(node, problems);
    }

    @Override
    public String words() {
        return "a list such as [nvidia-smi, -L]";
    }

    @Override
    public Map<String, Object> schema() {
        return LIST.schema();
    }
}
