package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Shapes made of other shapes. */
final class Containers {
    private Containers() {}

    record ListShape<T>(Shape<T> item, int least, int most, boolean orOne)
            implements Shape<List<T>> {
        @Override
        public List<T> read(YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Items items)) {
                if (orOne && !(node instanceof YamlNode.Scalar s && s.isEmpty())) {
                    T one = item.read(node, problems);
                    return one == null ? null : List.of(one);
                }
                return Wording.expected(words(), node, problems);
            }
            if (items.items().size() < least || items.items().size() > most) {
                int limit = items.items().size() < least ? least : most;
                String many = (limit == least ? "at least " : "at most ") + limit;
                String noun = limit == 1 ? " item" : " items";
                problems.at(node, "must have " + many + noun, "each is " + item.words());
            }
            List<T> list = new ArrayList<>();
            for (YamlNode one : items.items()) {
                T value = item.read(one, problems);
                if (value != null) {
                    list.add(value);
                }
            }
            return list;
        }

        @Override
        public String words() {
            return orOne ? item.words() + ", or a list of such" : "a list, each " + item.words();
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "array");
            schema.put("items", item.schema());
            if (least > 0) {
                schema.put("minItems", least);
            }
            if (most < Integer.MAX_VALUE) {
                schema.put("maxItems", most);
            }
            return orOne ? Map.of("anyOf", List.of(item.schema(), schema)) : schema;
        }
    }

    record NamedShape<T>(Shape<String> key, Shape<T> value) implements Shape<Map<String, T>> {
        @Override
        public Map<String, T> read(YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Entries entries)) {
                return Wording.expected(words(), node, problems);
            }
            Map<String, T> map = new LinkedHashMap<>();
            for (YamlNode.Entry entry : entries.entries()) {
                String name = key.read(entry.key(), problems);
                T read = value.read(entry.value(), problems);
                if (name != null && read != null) {
                    map.put(name, read);
                }
            }
            return map;
        }

        @Override
        public String words() {
            return "a map from " + key.words() + " to " + value.words();
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            if (key.schema().containsKey("pattern")) {
                schema.put("propertyNames", Map.of("pattern", key.schema().get("pattern")));
            }
            schema.put("additionalProperties", value.schema());
            return schema;
        }
    }

    record Either<T>(Shape<? extends T> scalar, Shape<? extends T> other) implements Shape<T> {
        @Override
        public T read(YamlNode node, Problems problems) {
            boolean first = node instanceof YamlNode.Scalar s && !s.isEmpty();
            if (!first && node instanceof YamlNode.Scalar) {
                return Wording.expected(words(), node, problems);
            }
            return first ? scalar.read(node, problems) : other.read(node, problems);
        }

        @Override
        public String words() {
            return scalar.words() + " or " + other.words();
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("anyOf", List.of(scalar.schema(), other.schema()));
        }
    }

    record Changed<A, B>(Shape<A> shape, Function<A, B> change) implements Shape<B> {
        @Override
        public B read(YamlNode node, Problems problems) {
            A value = shape.read(node, problems);
            return value == null ? null : change.apply(value);
        }

        @Override
        public String words() {
            return shape.words();
        }

        @Override
        public Map<String, Object> schema() {
            return shape.schema();
        }
    }

    /** The node itself. */
    record AnyNode() implements Shape<YamlNode> {
        @Override
        public YamlNode read(YamlNode node, Problems problems) {
            return node;
        }

        @Override
        public String words() {
            return "any value";
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of();
        }
    }

    record AnyMap(Shape<Object> any) implements Shape<Map<String, Object>> {
        @Override
        public Map<String, Object> read(YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Entries entries)) {
                return Wording.expected(words(), node, problems);
            }
            Map<String, Object> map = new LinkedHashMap<>();
            for (YamlNode.Entry entry : entries.entries()) {
                map.put(entry.key().value(), any.read(entry.value(), problems));
            }
            return map;
        }

        @Override
        public String words() {
            return "a map";
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("type", "object");
        }
    }
}
