package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Any value, as nested lists and maps. */
record AnyShape(BiFunction<YamlNode.Scalar, Problems, Object> leaf) implements Shape<Object> {
    @Override
    public Object read(YamlNode node, Problems problems) {
        if (node instanceof YamlNode.Items items) {
            List<Object> list = new ArrayList<>();
            items.items().forEach(item -> list.add(read(item, problems)));
            return list;
        }
        if (node instanceof YamlNode.Entries entries) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (YamlNode.Entry entry : entries.entries()) {
                map.put(entry.key().value(), read(entry.value(), problems));
            }
            return map;
        }
        return leaf.apply((YamlNode.Scalar) node, problems);
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
