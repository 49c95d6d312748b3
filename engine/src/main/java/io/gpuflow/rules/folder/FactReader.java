package io.gpuflow.rules.folder;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.rules.FactFields;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads a fact from YAML: {@code pcie_link: { gpu: 0, width_now: 8 }}. Keys are the record's
 * components in snake_case; one that is left out is not known (null).
 */
public final class FactReader {
    private static final Map<String, Class<? extends Fact>> TYPES = new TreeMap<>();

    static {
        FactTypes.all().forEach(t -> TYPES.put(FactFields.snake(t.getSimpleName()), t));
    }

    private final Problems problems;

    public FactReader(Problems problems) {
        this.problems = problems;
    }

    /** The fact in a mapping of one key, or null after a problem was told. */
    public Fact read(YamlNode node) {
        if (node.map == null || node.map.size() != 1) {
            problems.add(node, "a fact is written { its_type: { … } }");
            return null;
        }
        String name = node.map.keySet().iterator().next();
        Class<? extends Fact> type = TYPES.get(name);
        if (type == null) {
            problems.add(
                    node.keys.get(name), "no fact " + name + Nearest.hint(name, TYPES.keySet()));
            return null;
        }
        YamlNode body = node.map.get(name);
        return body.map == null && !body.isNull() ? notAMapping(body) : record(type, body);
    }

    private Fact notAMapping(YamlNode body) {
        problems.add(body, "the fact's components are a mapping");
        return null;
    }

    private Fact record(Class<? extends Fact> type, YamlNode body) {
        int before = problems.lines().size();
        RecordComponent[] components = type.getRecordComponents();
        List<String> known =
                Stream.of(components).map(c -> FactFields.snake(c.getName())).sorted().toList();
        Map<String, YamlNode> given = body.map == null ? Map.of() : body.map;
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                problems.add(
                        body.keys.get(key),
                        type.getSimpleName() + " has no " + key + Nearest.hint(key, known));
            }
        }
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            YamlNode value = given.get(FactFields.snake(components[i].getName()));
            values[i] =
                    value == null
                            ? absent(body, components[i])
                            : value(value, components[i].getGenericType());
        }
        if (problems.lines().size() > before) {
            return null;
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type, e);
        }
    }

    private Object absent(YamlNode body, RecordComponent component) {
        Class<?> type = component.getType();
        if (type == boolean.class) {
            return false;
        }
        if (type.isPrimitive()) {
            problems.add(body, FactFields.snake(component.getName()) + " is missing");
            return null;
        }
        if (type == List.class) {
            return List.of();
        }
        return Map.class.isAssignableFrom(type) ? new TreeMap<>() : null;
    }

    private Object value(YamlNode node, Type type) {
        if (type instanceof ParameterizedType generic) {
            return collection(node, generic);
        }
        Class<?> wanted = (Class<?>) type;
        if (node.isNull() && !wanted.isPrimitive()) {
            return null;
        }
        if (wanted == Object.class) {
            return free(node);
        }
        if (node.text == null) {
            problems.add(node, "must be a single value");
            return null;
        }
        if (wanted.isEnum()) {
            return constant(node, wanted);
        }
        return scalar(node, wanted);
    }

    private Object collection(YamlNode node, ParameterizedType generic) {
        Type[] inner = generic.getActualTypeArguments();
        if (generic.getRawType() == List.class) {
            if (node.isNull()) {
                return null;
            }
            if (node.list == null) {
                problems.add(node, "must be a list");
                return List.of();
            }
            List<Object> out = new ArrayList<>();
            node.list.forEach(n -> out.add(value(n, inner[0])));
            return Collections.unmodifiableList(out);
        }
        TreeMap<String, Object> out = new TreeMap<>();
        if (node.map == null) {
            problems.add(node, "must be a mapping");
        } else {
            node.map.forEach((k, v) -> out.put(k, value(v, inner[1])));
        }
        return out;
    }

    /** A value of no declared type: a whole number, a number, true or false, a list, else text. */
    private Object free(YamlNode node) {
        if (node.list != null) {
            return node.list.stream().map(this::free).toList();
        }
        if (node.quoted || node.text == null) {
            return node.text;
        }
        if (node.text.matches("-?\\d{1,9}")) {
            return Integer.valueOf(node.text);
        }
        if (node.text.matches("-?\\d{1,18}")) {
            return Long.valueOf(node.text);
        }
        if (node.text.matches("-?\\d+\\.\\d+")) {
            return Double.valueOf(node.text);
        }
        return node.text.equals("true") || node.text.equals("false")
                ? Boolean.valueOf(node.text)
                : node.text;
    }

    private Object constant(YamlNode node, Class<?> type) {
        for (Object constant : type.getEnumConstants()) {
            if (constant.toString().equalsIgnoreCase(node.text)
                    || ((Enum<?>) constant).name().equalsIgnoreCase(node.text.replace('-', '_'))) {
                return constant;
            }
        }
        List<String> known = Stream.of(type.getEnumConstants()).map(Object::toString).toList();
        problems.add(
                node,
                "no " + type.getSimpleName() + " " + node.text + Nearest.hint(node.text, known));
        return null;
    }

    private Object scalar(YamlNode node, Class<?> type) {
        String text = node.text;
        try {
            if (type == String.class) {
                return text;
            }
            if (type == Boolean.class || type == boolean.class) {
                if (text.equals("true") || text.equals("false")) {
                    return Boolean.valueOf(text);
                }
            } else if (type == Integer.class || type == int.class) {
                return Integer.valueOf(text);
            } else if (type == Long.class || type == long.class) {
                return Long.valueOf(text);
            } else if (type == Double.class || type == double.class) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException e) {
            // told below with its place
        }
        problems.add(node, "must be " + name(type) + ", not " + text);
        return null;
    }

    private static String name(Class<?> type) {
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return type == Double.class || type == double.class ? "a number" : "a whole number";
    }
}
