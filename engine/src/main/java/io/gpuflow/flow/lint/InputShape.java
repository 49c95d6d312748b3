package io.gpuflow.flow.lint;

import io.gpuflow.flow.Input;
import io.gpuflow.flow.InputValue;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code model: {type: file, default: none, help: "…"}}. */
final class InputShape {
    private static final String NONE = "none";

    private static final Key<Input.Type> TYPE =
            Key.optional(
                    "type",
                    Shapes.word(Input.Type.class),
                    Input.Type.TEXT,
                    "what a value must look like");
    private static final Key<YamlNode> DEFAULT =
            Key.optional(
                    "default",
                    Shapes.node(),
                    null,
                    "the value when none is given; none to do without, leave it out to ask for one");
    private static final Key<List<YamlNode>> CHOICES =
            Key.optional(
                    "choices", Shapes.list(Shapes.node(), 1, 1000), List.of(), "the only values");
    private static final Key<String> HELP = Key.optional("help", Shapes.text(), "", "one line");
    private static final Key<Boolean> SECRET =
            Key.optional("secret", Shapes.flag(), false, "never write or show its value");

    static final Shape<Map<String, Input>> SHAPE =
            Shapes.as(
                    Shapes.map(
                            WorkflowShapes.name(),
                            new MapShape<>(
                                    "an input",
                                    "a value that may be given with -i name=value",
                                    List.of(TYPE, DEFAULT, CHOICES, HELP, SECRET),
                                    InputShape::input)),
                    InputShape::named);

    private InputShape() {}

    private static Map<String, Input> named(Map<String, Input> unnamed) {
        Map<String, Input> named = new LinkedHashMap<>();
        unnamed.forEach((name, i) -> named.put(name, i.named(name)));
        return named;
    }

    private static Input input(Fields f) {
        Input.Type type = f.get(TYPE);
        List<Object> choices = new ArrayList<>();
        f.get(CHOICES).forEach(node -> choices.add(value(type, node, f)));
        Object fallback = null;
        if (f.has(DEFAULT) && !isNone(f.get(DEFAULT))) {
            fallback = value(type, f.get(DEFAULT), f);
            if (fallback != null && !choices.isEmpty() && !choices.contains(fallback)) {
                f.problem(DEFAULT, "the default is none of the choices", "add it to choices:");
            }
            if (f.get(SECRET)) {
                String next = "leave it out, or write default: none";
                f.problem(DEFAULT, "a secret can't stand in the file", next);
            }
        }
        boolean required = !f.has(DEFAULT);
        return new Input("", type, required, fallback, choices, f.get(HELP), f.get(SECRET));
    }

    private static boolean isNone(YamlNode node) {
        return node instanceof YamlNode.Scalar scalar
                && (scalar.plain() && scalar.value().equals(NONE) || scalar.words().equals("null"));
    }

    private static Object value(Input.Type type, YamlNode node, Fields f) {
        if (type == Input.Type.LIST) {
            return Shapes.list(Shapes.text()).read(node, f.problems());
        }
        if (!(node instanceof YamlNode.Scalar scalar) || scalar.isEmpty()) {
            String says = "must be " + InputValue.words(type) + ", this is " + node.words();
            f.problems().at(node, says, "write default: none for no value");
            return null;
        }
        Object value = InputValue.parse(type, scalar.value());
        if (value == null) {
            String says = scalar.value() + " is not " + InputValue.words(type);
            f.problems().at(node, says, "write default: none for no value");
        }
        return value;
    }
}
