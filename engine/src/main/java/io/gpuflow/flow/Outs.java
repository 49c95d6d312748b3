package io.gpuflow.flow;

import io.gpuflow.expr.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A step's outputs on their way to the journal and back: an unknown one stays unknown. */
final class Outs {
    private static final String UNKNOWN = "$unknown";

    private Outs() {}

    /** Plain values only; an unknown one as {@code {"$unknown": "why"}}. */
    static Map<String, Object> stored(Map<String, Object> out) {
        return RecordJson.map(withoutUnknown(out));
    }

    private static Object withoutUnknown(Object value) {
        if (value instanceof Value.Unknown unknown) {
            return Map.of(UNKNOWN, unknown.why());
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> plain = new LinkedHashMap<>();
            map.forEach((key, item) -> plain.put(key, withoutUnknown(item)));
            return plain;
        }
        return value instanceof List<?> list
                ? list.stream().map(Outs::withoutUnknown).toList()
                : value;
    }

    /** The outputs for {@code steps.ID.out}, from what was stored. */
    static Object restored(Object value) {
        if (value instanceof Map<?, ?> map) {
            if (map.size() == 1 && map.get(UNKNOWN) instanceof String why) {
                return new Value.Unknown(why);
            }
            Map<Object, Object> plain = new LinkedHashMap<>();
            map.forEach((key, item) -> plain.put(key, restored(item)));
            return plain;
        }
        return value instanceof List<?> list ? list.stream().map(Outs::restored).toList() : value;
    }
}
