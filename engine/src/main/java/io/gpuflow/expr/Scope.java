package io.gpuflow.expr;

import java.util.Map;

/** The names an expression may use at its root: inputs, steps, matrix, facts … */
@FunctionalInterface
public interface Scope {
    /**
     * The value of a name: plain as {@link Value} describes, or a {@link Value.Unknown} with the
     * reason.
     */
    Object get(String name);

    /** A scope of the given values; any other name is unknown. */
    static Scope of(Map<String, ?> values) {
        return name ->
                values.containsKey(name)
                        ? values.get(name)
                        : new Value.Unknown("there is no " + name + " here");
    }

    /** This scope with one name more, hiding an outer one. */
    default Scope with(String name, Object value) {
        return asked -> asked.equals(name) ? value : get(asked);
    }
}
