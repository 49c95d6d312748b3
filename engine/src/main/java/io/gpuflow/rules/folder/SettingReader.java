package io.gpuflow.rules.folder;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.rules.SettingSpec;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a setting in a rule.yaml may hold. */
final class SettingReader {
    private static final Key<String> TYPE = required("type", types(), "what its value is");
    private static final Key<String> UNIT =
            optional("unit", Shapes.text(), "", "what a number counts");
    private static final Key<YamlNode> DEFAULT =
            required("default", Shapes.node(), "its value unless a site changes it");
    private static final Key<Double> MIN =
            optional("min", Shapes.number(-1e18, 1e18), null, "least value allowed");
    private static final Key<Double> MAX =
            optional("max", Shapes.number(-1e18, 1e18), null, "greatest value allowed");
    private static final Key<String> HELP =
            required("help", Shapes.text(), "one line, with the source of the number");

    private SettingReader() {}

    /** A setting whose name stands before it. */
    record Body(SettingSpec unnamed) {
        SettingSpec named(String name) {
            SettingSpec s = unnamed;
            return new SettingSpec(
                    name,
                    s.type(),
                    s.unit(),
                    s.number(),
                    s.text(),
                    s.list(),
                    s.min(),
                    s.max(),
                    s.help());
        }
    }

    static Shape<Body> shape() {
        return new MapShape<>(
                "a setting",
                "a threshold that a site may change",
                List.of(TYPE, UNIT, DEFAULT, MIN, MAX, HELP),
                SettingReader::body);
    }

    private static Shape<String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        SettingSpec.TYPES.forEach(t -> types.put(t, t));
        return Shapes.word(types);
    }

    private static Body body(Fields f) {
        String type = f.get(TYPE);
        if (type == null || f.get(DEFAULT) == null) {
            return null;
        }
        boolean share = type.equals("share");
        double min = f.get(MIN) != null ? f.get(MIN) : share ? 0 : Double.NEGATIVE_INFINITY;
        double max = f.get(MAX) != null ? f.get(MAX) : share ? 1 : Double.POSITIVE_INFINITY;
        double number = 0;
        String text = "";
        List<String> list = List.of();
        switch (type) {
            case "list" -> list = read(Shapes.list(Shapes.text()), f, List.of());
            case "text" -> text = read(Shapes.text(), f, "");
            case "flag" -> number = read(Shapes.flag(), f, false) ? 1 : 0;
            default -> number = number(f, min, max);
        }
        return new Body(
                new SettingSpec("", type, f.get(UNIT), number, text, list, min, max, f.get(HELP)));
    }

    private static double number(Fields f, double min, double max) {
        double all = Double.POSITIVE_INFINITY;
        double number = read(Shapes.number(-all, all), f, min > -all ? min : 0.0);
        if (number < min || number > max) {
            String says = "its default is " + (number < min ? "below min" : "above max");
            f.problem(DEFAULT, says, "a site could not even restore it");
        }
        return number;
    }

    private static <T> T read(Shape<T> shape, Fields f, T otherwise) {
        T value = shape.read(f.get(DEFAULT), f.problems());
        return value == null ? otherwise : value;
    }
}
