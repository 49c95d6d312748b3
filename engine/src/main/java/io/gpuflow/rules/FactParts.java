package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The components of a kind of record by their names in snake_case, found out once: conditions read
 * them very often.
 */
final class FactParts {
    private static final ClassValue<FactParts> OF =
            new ClassValue<>() {
                @Override
                protected FactParts computeValue(Class<?> type) {
                    return new FactParts(type);
                }
            };

    private final Map<String, Method> accessors = new LinkedHashMap<>();

    private FactParts(Class<?> type) {
        for (RecordComponent c : type.getRecordComponents()) {
            accessors.put(FactFields.snake(c.getName()), c.getAccessor());
        }
    }

    static FactParts of(Class<?> record) {
        return OF.get(record);
    }

    /** In the order of the record. */
    java.util.Set<String> names() {
        return accessors.keySet();
    }

    /** The component's value as conditions see it; null when it is not known. */
    Object get(Record record, String name) {
        try {
            return plain(accessors.get(name).invoke(record));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + name + " of " + record, e);
        }
    }

    /** Constants as the words people read, records inside of facts as maps. */
    private static Object plain(Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
        }
        if (value instanceof Integer n) {
            return n.longValue();
        }
        if (value instanceof Record record && !(value instanceof Fact)) {
            FactParts parts = of(record.getClass());
            Map<String, Object> map = new LinkedHashMap<>();
            parts.names().forEach(name -> map.put(name, parts.get(record, name)));
            return map;
        }
        if (value instanceof java.util.List<?> list) {
            return list.stream().map(FactParts::plain).toList();
        }
        return value;
    }
}
