package io.gpuflow.flow;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Template;
import io.gpuflow.expr.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A step runs once for each combination of the values of its axes; {@code matrix.NAME} is the value
 * there.
 *
 * @param axes by name, in file order: a list (its texts are {@link Template}s) or one Template that
 *     gives a list
 */
public record Matrix(Map<String, Object> axes) {
    /** Most combinations of one step. */
    public static final int MOST = 256;

    /**
     * All combinations, the last axis fastest.
     *
     * @return a list of maps from axis to value, or the reason why it can't be told
     */
    public Value combinations(Scope scope) {
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(Map.of());
        for (Map.Entry<String, Object> axis : axes.entrySet()) {
            Value values = Template.fill(axis.getValue(), scope);
            if (!(values instanceof Value.Known known)) {
                return values;
            }
            if (!(known.value() instanceof List<?> list)) {
                return new Value.Unknown("matrix." + axis.getKey() + " is not a list");
            }
            if ((long) all.size() * list.size() > MOST) {
                return new Value.Unknown("the matrix has more than " + MOST + " combinations");
            }
            all = crossed(all, axis.getKey(), list);
        }
        return new Value.Known(all);
    }

    private static List<Map<String, Object>> crossed(
            List<Map<String, Object>> all, String axis, List<?> values) {
        List<Map<String, Object>> result = new ArrayList<>();
        for (Map<String, Object> one : all) {
            for (Object value : values) {
                Map<String, Object> more = new LinkedHashMap<>(one);
                more.put(axis, value);
                result.add(more);
            }
        }
        return result;
    }
}
