package io.gpuflow.rules.folder;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.rules.FactFields;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.YamlNode;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A fact in YAML: {@code pcie_link: { gpu: 0, width_now: 8 }}. Keys are the record's components in
 * snake_case; one that is left out is not known (null).
 */
final class FactShape implements Shape<Fact> {
    private static final Map<String, Class<? extends Fact>> TYPES = new TreeMap<>();

    static {
        FactTypes.all().forEach(t -> TYPES.put(FactFields.snake(t.getSimpleName()), t));
    }

    @Override
    public Fact read(YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Entries map) || map.entries().size() != 1) {
            problems.at(node, "a fact must be " + words(), "");
            return null;
        }
        YamlNode.Entry entry = map.entries().get(0);
        Class<? extends Fact> type = TYPES.get(entry.key().value());
        if (type == null) {
            String next = Nearest.hint(entry.key().value(), TYPES.keySet());
            problems.at(entry.key(), "there is no fact " + entry.key().value(), next);
            return null;
        }
        if (!(entry.value() instanceof YamlNode.Entries components)) {
            problems.at(entry.value(), "must be a map, this is " + entry.value().words(), "");
            return null;
        }
        return record(type, components, problems);
    }

    private static Fact record(
            Class<? extends Fact> type, YamlNode.Entries given, Problems problems) {
        int before = problems.count();
        RecordComponent[] components = type.getRecordComponents();
        List<String> known =
                Stream.of(components).map(c -> FactFields.snake(c.getName())).sorted().toList();
        for (YamlNode.Entry entry : given.entries()) {
            String key = entry.key().value();
            if (!known.contains(FactFields.snake(key))) {
                String says = type.getSimpleName() + " has no " + key;
                problems.at(entry.key(), says, Nearest.hint(key, known));
            }
        }
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = ComponentValue.read(components[i], given, problems);
        }
        if (problems.count() > before) {
            return null;
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type, e);
        }
    }

    @Override
    public String words() {
        return "one fact type with its components, as gpu: { index: 0, vendor: nvidia }";
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> facts = new LinkedHashMap<>();
        TYPES.forEach((name, type) -> facts.put(name, ComponentValue.schema(type)));
        return Map.of(
                "type",
                "object",
                "minProperties",
                1,
                "maxProperties",
                1,
                "additionalProperties",
                false,
                "properties",
                facts);
    }
}
