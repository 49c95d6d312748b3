package io.gpuflow.rules.site;

import io.gpuflow.facts.Setting;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.List;

/** Reads the value that a site gives to a setting of a rule. */
public final class SettingValue {
    private SettingValue() {}

    /** The setting; null when the value was reported as wrong. */
    public static Setting read(String rule, SettingSpec spec, YamlNode node, Problems problems) {
        int before = problems.count();
        Setting setting =
                switch (spec.type()) {
                    case "flag" -> {
                        Boolean on = read(Shapes.flag(), node, problems);
                        yield on == null ? null : of(rule, spec, on ? 1 : 0, "", List.of());
                    }
                    case "text" -> {
                        String text = read(Shapes.text(), node, problems);
                        yield text == null ? null : of(rule, spec, 0, text, List.of());
                    }
                    case "list" -> {
                        List<String> list = read(Shapes.list(Shapes.text()), node, problems);
                        yield list == null ? null : of(rule, spec, 0, "", list);
                    }
                    default -> {
                        Double number = read(Shapes.number(spec.min(), spec.max()), node, problems);
                        yield number == null ? null : of(rule, spec, number, "", List.of());
                    }
                };
        return problems.count() > before ? null : setting;
    }

    private static <T> T read(Shape<T> shape, YamlNode node, Problems problems) {
        return shape.read(node, problems);
    }

    private static Setting of(
            String rule, SettingSpec spec, double number, String text, List<String> list) {
        return new Setting(rule, spec.name(), number, text, list);
    }
}
