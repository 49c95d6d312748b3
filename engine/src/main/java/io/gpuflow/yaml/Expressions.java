package io.gpuflow.yaml;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.ExprException;
import io.gpuflow.expr.ExprProblem;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shapes of conditions and of text with {@code ${{ }}}, with problems at their exact place. */
public final class Expressions {
    private Expressions() {}

    /** A condition, bare: {@code if: size(steps.probe.out.gpus) > 1}. */
    public static Shape<Expr> condition() {
        return Shapes.scalar(
                "a condition",
                Map.of("type", List.of("string", "boolean")),
                Expressions::condition);
    }

    /** Text that may hold {@code ${{ }}}. */
    public static Shape<Template> template() {
        return Shapes.scalar(
                "text",
                Map.of("type", List.of("string", "number", "boolean")),
                Expressions::template);
    }

    /** Any value whose texts may hold {@code ${{ }}}; a text is a {@link Template} then. */
    public static Shape<Object> anyWithTemplates() {
        return Shapes.any(
                (scalar, problems) -> {
                    Object value = Core.value(scalar);
                    return value instanceof String ? template(scalar, problems) : value;
                });
    }

    private static Expr condition(YamlNode.Scalar scalar, Problems problems) {
        String text = scalar.value();
        if (text.contains("${{")) {
            String bare = text.strip().replaceFirst("^\\$\\{\\{", "").replaceFirst("}}$", "");
            String next =
                    bare.contains("${{") || bare.contains("}}")
                            ? "a condition is an expression already: leave out ${{ and }}"
                            : "write " + bare.strip();
            problems.at(scalar, text.indexOf("${{"), 3, "a condition takes no ${{ }}", next);
            return null;
        }
        try {
            return Expr.parse(text);
        } catch (ExprException e) {
            report(scalar, e.problem(), problems);
            return null;
        }
    }

    private static Template template(YamlNode.Scalar scalar, Problems problems) {
        try {
            return Template.parse(scalar.value());
        } catch (ExprException e) {
            report(scalar, e.problem(), problems);
            return null;
        }
    }

    private static void report(YamlNode.Scalar scalar, ExprProblem problem, Problems problems) {
        problems.at(scalar, problem.offset(), problem.length(), problem.says(), problem.next());
    }

    /** Checks the names and types of a condition that was read from this node. */
    public static Type check(Expr expr, YamlNode node, Type.Fields scope, Problems problems) {
        List<ExprProblem> found = new ArrayList<>();
        Type type = expr.check(scope, found);
        found.forEach(p -> report((YamlNode.Scalar) node, p, problems));
        return type;
    }

    /**
     * Checks the names and types of all <code>${{ }}</code> in a value. Those that can't be read
     * have been reported already.
     *
     * @return what the value will be
     */
    public static Type check(YamlNode node, Type.Fields scope, Problems problems) {
        if (node instanceof YamlNode.Items items) {
            Type common = null;
            for (YamlNode item : items.items()) {
                Type type = check(item, scope, problems);
                common = common == null || common.equals(type) ? type : Type.ANY;
            }
            return Type.listOf(common == null ? Type.ANY : common);
        }
        if (node instanceof YamlNode.Entries entries) {
            entries.entries().forEach(e -> check(e.value(), scope, problems));
            return Type.mapOf(Type.ANY);
        }
        YamlNode.Scalar scalar = (YamlNode.Scalar) node;
        if (!scalar.value().contains("${{")) {
            return Core.type(scalar);
        }
        List<ExprProblem> found = new ArrayList<>();
        try {
            Type type = Template.parse(scalar.value()).check(scope, found);
            found.forEach(p -> report(scalar, p, problems));
            return type;
        } catch (ExprException e) {
            return Type.ANY;
        }
    }
}
