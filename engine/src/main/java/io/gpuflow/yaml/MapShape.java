package io.gpuflow.yaml;

import io.gpuflow.expr.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A map with known keys.
 *
 * @param <T> what it is read into
 */
public final class MapShape<T> implements Shape<T> {
    /** Keys of which exactly one must be there. */
    private record OneOf(List<Key<?>> keys) {}

    /** A key that makes sense only beside one of others. */
    private record Only(Key<?> key, List<Key<?>> beside) {}

    private final String what;
    private final String help;
    private final List<Key<?>> keys;
    private final Function<Fields, T> builder;
    private final List<OneOf> oneOf = new ArrayList<>();
    private final List<Only> only = new ArrayList<>();
    private final List<Map<String, Object>> further = new ArrayList<>();

    /**
     * @param what what has these keys, for messages: "a step"
     * @param help one line for editors
     * @param builder called once for each such map, problems or not; may return null
     */
    public MapShape(String what, String help, List<Key<?>> keys, Function<Fields, T> builder) {
        this.what = what;
        this.help = help;
        this.keys = List.copyOf(keys);
        this.builder = builder;
    }

    /** Exactly one of these keys must be there. */
    public MapShape<T> oneOf(Key<?>... choice) {
        oneOf.add(new OneOf(List.of(choice)));
        return this;
    }

    /** The key is right only beside one of the others. */
    public MapShape<T> only(Key<?> key, Key<?>... beside) {
        only.add(new Only(key, List.of(beside)));
        return this;
    }

    /** Adds a further condition to the schema, for what the reader checks by other means. */
    public MapShape<T> described(Map<String, Object> schema) {
        further.add(schema);
        return this;
    }

    @Override
    public T read(YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Entries entries)) {
            problems.at(node, what + " must be a map, this is " + node.words(), "keys: " + names());
            return null;
        }
        Map<Key<?>, Object> values = new HashMap<>();
        for (YamlNode.Entry entry : entries.entries()) {
            Key<?> key = key(entry.key().value());
            if (key == null) {
                unknown(entry.key(), problems);
            } else {
                int before = problems.count();
                values.put(key, key.shape().read(entry.value(), problems));
                problems.explain(before, key.name() + ": " + key.help());
            }
        }
        combination(entries, problems);
        return builder.apply(new Fields(entries, values, problems));
    }

    private void unknown(YamlNode.Scalar key, Problems problems) {
        List<String> known = keys.stream().map(Key::name).toList();
        String near = Nearest.to(key.value(), known);
        String next = near == null ? "keys: " + names() : "did you mean " + near + "?";
        problems.at(key, what + " has no key " + Wording.shown(key.value()), next);
    }

    private void combination(YamlNode.Entries node, Problems problems) {
        for (Key<?> key : keys) {
            if (key.required() && node.get(key.name()) == null) {
                problems.at(node, what + " needs " + key.name() + ":", "add it: " + key.help());
            }
        }
        for (OneOf choice : oneOf) {
            List<YamlNode.Entry> there = there(choice.keys, node);
            if (there.isEmpty()) {
                String says = what + " needs one of " + names(choice.keys);
                problems.at(node, says, "add one of them");
            }
            for (int i = 1; i < there.size(); i++) {
                String first = there.get(0).key().value();
                String says = there.get(i).key().value() + ": can't stand beside " + first + ":";
                problems.at(there.get(i).key(), says, "keep one of " + names(choice.keys));
            }
        }
        for (Only rule : only) {
            YamlNode.Entry entry = node.entry(rule.key.name());
            if (entry != null && there(rule.beside, node).isEmpty()) {
                String says = rule.key.name() + ": goes only with " + names(rule.beside);
                String next = "remove it, or add " + rule.beside.get(0).name() + ":";
                problems.at(entry.key(), says, next);
            }
        }
    }

    private static List<YamlNode.Entry> there(List<Key<?>> keys, YamlNode.Entries node) {
        List<YamlNode.Entry> there = new ArrayList<>();
        for (YamlNode.Entry entry : node.entries()) {
            if (keys.stream().anyMatch(k -> k.name().equals(entry.key().value()))) {
                there.add(entry);
            }
        }
        return there;
    }

    private Key<?> key(String name) {
        return keys.stream().filter(k -> k.name().equals(name)).findFirst().orElse(null);
    }

    private String names() {
        return names(keys);
    }

    private static String names(List<Key<?>> keys) {
        return String.join(", ", keys.stream().map(Key::name).toList());
    }

    @Override
    public String words() {
        return "a map with " + names();
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            Map<String, Object> one = new LinkedHashMap<>(key.shape().schema());
            one.put("description", key.help());
            properties.put(key.name(), one);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("description", help);
        schema.put("additionalProperties", false);
        List<String> required = keys.stream().filter(Key::required).map(Key::name).toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        List<Object> all = new ArrayList<>(further);
        oneOf.forEach(choice -> all.add(Map.of("oneOf", present(choice.keys))));
        Map<String, Object> dependencies = new LinkedHashMap<>();
        only.forEach(
                rule -> dependencies.put(rule.key.name(), Map.of("anyOf", present(rule.beside))));
        if (!all.isEmpty()) {
            schema.put("allOf", all);
        }
        if (!dependencies.isEmpty()) {
            schema.put("dependencies", dependencies);
        }
        return schema;
    }

    private static List<Object> present(List<Key<?>> keys) {
        List<Object> list = new ArrayList<>();
        keys.forEach(k -> list.add(Map.of("required", List.of(k.name()))));
        return list;
    }
}
