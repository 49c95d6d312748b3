package io.gpuflow.flow.lint;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import io.gpuflow.flow.Experiment;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code p2p-off: {env: {NCCL_P2P_DISABLE: "1"}}}. */
final class ExperimentShape {
    static final Key<String> ABOUT = Key.optional("about", Shapes.text(), "", "one line");
    static final Key<Map<String, Template>> ENV =
            Key.optional("env", EnvShape.SHAPE, Map.of(), "variables it sets; null removes one");
    static final Key<Map<String, Object>> WITH =
            Key.optional(
                    "with",
                    Shapes.mapOfAny(Expressions.anyWithTemplates()),
                    Map.of(),
                    "inputs of the action it replaces");
    static final Key<Expr> WHEN =
            Key.optional("if", Expressions.condition(), null, "try it only where this holds");

    static final Shape<Map<String, Experiment>> SHAPE =
            Shapes.as(
                    Shapes.map(
                            Shapes.id(),
                            new MapShape<>(
                                    "an experiment",
                                    "a change that a rule's advice may try",
                                    List.of(ABOUT, ENV, WITH, WHEN),
                                    ExperimentShape::experiment)),
                    ExperimentShape::named);

    private ExperimentShape() {}

    private static Map<String, Experiment> named(Map<String, Experiment> unnamed) {
        Map<String, Experiment> named = new LinkedHashMap<>();
        unnamed.forEach(
                (name, e) ->
                        named.put(
                                name,
                                new Experiment(name, e.about(), e.env(), e.with(), e.when())));
        return named;
    }

    private static Experiment experiment(Fields f) {
        if (!f.has(ENV) && !f.has(WITH)) {
            String says = "an experiment must change something";
            f.problems().at(f.at(), says, "give env: or with:");
        }
        return new Experiment("", f.get(ABOUT), f.get(ENV), f.get(WITH), f.get(WHEN));
    }
}
