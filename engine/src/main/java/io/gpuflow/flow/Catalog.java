package io.gpuflow.flow;

import io.gpuflow.expr.Type;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The names that a workflow may refer to. The command line puts it together, so that reading a
 * workflow loads neither actions, parsers nor rules.
 *
 * @param actions what {@code uses:} may name
 * @param areas what {@code check:} may name; asked for only when a workflow has one
 * @param parsers what {@code parse:} may name; asked for only when a workflow has one
 * @param facts what {@code facts.} may name in a condition; asked for only when a workflow does
 */
public record Catalog(
        Map<String, ActionInfo> actions,
        Supplier<Set<String>> areas,
        Supplier<Set<String>> parsers,
        Supplier<Type.Fields> facts) {

    /** The action with this name, or null. */
    public ActionInfo action(String name) {
        return name == null ? null : actions.get(name);
    }

    /**
     * What is known of an action without loading it.
     *
     * @param about one line
     * @param effect what it does to the machine at least
     * @param with its inputs
     * @param out its outputs, for {@code steps.ID.out}
     */
    public record ActionInfo(
            String about, Effect effect, Map<String, Param> with, Map<String, Type> out) {}

    /**
     * An input of an action.
     *
     * @param type of the value after substitution
     */
    public record Param(Type type, boolean required, String help) {}
}
