package io.gpuflow.parse;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The components of a report record as plain values, their names in snake_case. */
final class RecordValues {
    private RecordValues() {}

    /** All components but {@code unparsed}, which every report has and prints last. */
    static Map<String, Object> of(Record record) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (!component.getName().equals("unparsed")) {
                values.put(snake(component.getName()), plain(value(record, component)));
            }
        }
        return values;
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(record.getClass() + "." + component, impossible);
        }
    }

    private static Object plain(Object value) {
        if (value instanceof Record inner) {
            return of(inner);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> plain = new LinkedHashMap<>();
            map.forEach((key, inner) -> plain.put(String.valueOf(key), plain(inner)));
            return plain;
        }
        if (value instanceof Iterable<?> list) {
            List<Object> plain = new ArrayList<>();
            list.forEach(inner -> plain.add(plain(inner)));
            return plain;
        }
        return value;
    }

    private static String snake(String name) {
        StringBuilder snake = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean upper = c >= 'A' && c <= 'Z';
            snake.append(upper ? "_" + (char) (c + 32) : String.valueOf(c));
        }
        return snake.toString();
    }
}
