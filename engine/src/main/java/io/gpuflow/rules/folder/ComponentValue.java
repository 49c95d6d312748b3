package io.gpuflow.rules.folder;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.Fact;
import io.gpuflow.rules.FactFields;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads the value of one component of a fact record. */
final class ComponentValue {
    private final Problems problems;

    private ComponentValue(Problems problems) {
        this.problems = problems;
    }

    /** The value; null when it is left out or a problem was reported. */
    static Object read(RecordComponent component, YamlNode.Entries given, Problems problems) {
        String name = FactFields.snake(component.getName());
        YamlNode node = given.get(name);
        node = node == null ? given.get(component.getName()) : node;
        if (node != null) {
            return new ComponentValue(problems).value(node, component.getGenericType());
        }
        Class<?> type = component.getType();
        if (type == boolean.class) {
            return false;
        }
        if (type.isPrimitive()) {
            problems.at(given, name + " is missing", "add it: it must be " + word(type));
            return null;
        }
        if (Map.class.isAssignableFrom(type)) {
            return new TreeMap<>();
        }
        return type == List.class ? List.of() : null;
    }

    private Object value(YamlNode node, Type type) {
        boolean nothing = "null".equals(node.words());
        if (type instanceof ParameterizedType generic) {
            return nothing ? null : collection(node, generic);
        }
        Class<?> wanted = (Class<?>) type;
        if (nothing && !wanted.isPrimitive()) {
            return null;
        }
        if (wanted == String.class) {
            return Shapes.text().read(node, problems);
        }
        Object value = Shapes.any().read(node, problems);
        return wanted.isEnum() ? constant(node, value, wanted) : scalar(node, value, wanted);
    }

    private Object collection(YamlNode node, ParameterizedType generic) {
        Type[] inner = generic.getActualTypeArguments();
        if (generic.getRawType() == List.class) {
            if (!(node instanceof YamlNode.Items list)) {
                problems.at(node, "must be a list, this is " + node.words(), "");
                return null;
            }
            List<Object> out = new ArrayList<>();
            list.items().forEach(n -> out.add(value(n, inner[0])));
            return Collections.unmodifiableList(out);
        }
        if (!(node instanceof YamlNode.Entries map)) {
            problems.at(node, "must be a map, this is " + node.words(), "");
            return null;
        }
        TreeMap<String, Object> out = new TreeMap<>();
        map.entries().forEach(e -> out.put(e.key().value(), value(e.value(), inner[1])));
        return out;
    }

    private Object constant(YamlNode node, Object value, Class<?> type) {
        String text = String.valueOf(value);
        for (Object constant : type.getEnumConstants()) {
            if (constant.toString().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        List<String> known = Stream.of(type.getEnumConstants()).map(Object::toString).toList();
        problems.at(
                node,
                text + " is no " + FactFields.snake(type.getSimpleName()),
                Nearest.hint(text, known));
        return null;
    }

    private Object scalar(YamlNode node, Object value, Class<?> type) {
        if (type == Object.class) {
            return narrowed(value);
        }
        if ((type == Boolean.class || type == boolean.class) && value instanceof Boolean) {
            return value;
        }
        if (value instanceof Long whole) {
            boolean fits = whole == whole.intValue();
            if ((type == Integer.class || type == int.class) && fits) {
                return whole.intValue();
            }
            if (type == Long.class || type == long.class) {
                return whole;
            }
        }
        if ((type == Double.class || type == double.class) && value instanceof Number n) {
            return n.doubleValue();
        }
        problems.at(node, "must be " + word(type) + ", this is " + node.words(), "");
        return null;
    }

    /** Whole numbers as rules compute with them. */
    private static Object narrowed(Object value) {
        if (value instanceof Long n && n == n.intValue()) {
            return n.intValue();
        }
        return value instanceof List<?> list
                ? list.stream().map(ComponentValue::narrowed).toList()
                : value;
    }

    private static String word(Class<?> type) {
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return type == Double.class || type == double.class ? "a number" : "a whole number";
    }

    /** JSON Schema of a fact's components. */
    static Map<String, Object> schema(Class<? extends Fact> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordComponent c : type.getRecordComponents()) {
            properties.put(FactFields.snake(c.getName()), schemaOf(c.getType()));
        }
        return Map.of("type", "object", "additionalProperties", false, "properties", properties);
    }

    private static Map<String, Object> schemaOf(Class<?> type) {
        if (type.isEnum()) {
            return Map.of(
                    "enum", Stream.of(type.getEnumConstants()).map(Object::toString).toList());
        }
        if (type == Boolean.class || type == boolean.class) {
            return Map.of("type", List.of("boolean", "null"));
        }
        if (type == Integer.class
                || type == int.class
                || type == Long.class
                || type == long.class) {
            return Map.of("type", List.of("integer", "null"));
        }
        if (type == Double.class || type == double.class) {
            return Map.of("type", List.of("number", "null"));
        }
        return type == List.class ? Map.of("type", List.of("array", "null")) : Map.of();
    }
}
