package io.gpuflow.yaml;

import java.util.Map;

/**
 * The values of a map's keys. A key whose value was reported as wrong has its fallback (null for a
 * required one), so that the rest can still be checked.
 */
public final class Fields {
    private final YamlNode.Entries node;
    private final Map<Key<?>, Object> values;
    private final Problems problems;

    Fields(YamlNode.Entries node, Map<Key<?>, Object> values, Problems problems) {
        this.node = node;
        this.values = values;
        this.problems = problems;
    }

    /** The value, or the key's fallback. */
    @SuppressWarnings("unchecked") // The key's own shape has read the value.
    public <T> T get(Key<T> key) {
        Object value = values.get(key);
        return value == null ? key.fallback() : (T) value;
    }

    /** True when the key is in the file, be its value right or wrong. */
    public boolean has(Key<?> key) {
        return node.get(key.name()) != null;
    }

    /** The value as it stands in the file, or null. */
    public YamlNode node(Key<?> key) {
        return node.get(key.name());
    }

    /** The map itself. */
    public YamlNode.Entries node() {
        return node;
    }

    /** Where the map begins. */
    public Position at() {
        return node.at();
    }

    public Problems problems() {
        return problems;
    }

    /** Reports a problem with a key's value, or with the map when the key is not there. */
    public void problem(Key<?> key, String says, String next) {
        problems.at(has(key) ? node(key) : node, says, next);
    }
}
