package io.gpuflow.flow;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.expr.Type;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Facts as conditions name them: {@code facts.topology.link_class}, {@code facts.gpu[0].model}. A
 * machine has one of some types; of all others the name is a list.
 */
public final class FactScope {
    /** Types of which one machine, or one run of a step, has one. */
    private static final Set<String> ONE =
            Set.of(
                    "Container",
                    "Driver",
                    "Host",
                    "Imex",
                    "Incident",
                    "ModelSize",
                    "SmokeRun",
                    "Topology",
                    "Torch",
                    "Visibility");

    private final Collection<Observed> facts;
    private Map<String, Object> values;

    FactScope(Collection<Observed> facts) {
        this.facts = facts;
    }

    /** The names and types that exist, for checking a workflow before there are facts. */
    public static Type.Fields type() {
        Map<String, Type> types = new LinkedHashMap<>();
        for (Class<? extends Fact> fact : FactTypes.all()) {
            Map<String, Type> parts = new LinkedHashMap<>();
            for (RecordComponent part : fact.getRecordComponents()) {
                parts.put(snake(part.getName()), typeOf(part.getGenericType()));
            }
            String name = fact.getSimpleName();
            Type one = Type.fields("fact " + snake(name), parts);
            types.put(snake(name), ONE.contains(name) ? one : Type.listOf(one));
        }
        return Type.fields("facts", types);
    }

    private static Type typeOf(java.lang.reflect.Type type) {
        if (type == int.class || type == long.class) {
            return Type.INT;
        }
        if (type == Integer.class || type == Long.class) {
            return Type.INT;
        }
        if (type == double.class || type == Double.class) {
            return Type.DOUBLE;
        }
        if (type == boolean.class || type == Boolean.class) {
            return Type.BOOL;
        }
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return Type.listOf(typeOf(generic.getActualTypeArguments()[0]));
        }
        if (type instanceof ParameterizedType generic) {
            return Type.mapOf(typeOf(generic.getActualTypeArguments()[1]));
        }
        boolean text = type == String.class || (type instanceof Class<?> c && c.isEnum());
        return text ? Type.TEXT : Type.ANY;
    }

    /** The value of {@code facts}. */
    Map<String, Object> values() {
        if (values == null) {
            values = new LinkedHashMap<>();
            for (Class<? extends Fact> type : FactTypes.all()) {
                values.put(snake(type.getSimpleName()), valueOf(type));
            }
        }
        return values;
    }

    private Object valueOf(Class<? extends Fact> type) {
        List<Object> found = new ArrayList<>();
        for (Observed observed : facts) {
            if (observed.fact().getClass() == type) {
                found.add(parts(observed.fact()));
            }
        }
        String name = type.getSimpleName();
        if (found.isEmpty()) {
            String why = whyUnknown(name);
            return new Value.Unknown(
                    why != null ? why : "no step has told " + snake(name) + " yet");
        }
        return ONE.contains(name) ? found.get(found.size() - 1) : found;
    }

    private Map<String, Object> parts(Fact fact) {
        Map<String, Object> parts = new LinkedHashMap<>();
        JsonNode tree = RecordJson.tree(fact);
        for (RecordComponent part : fact.getClass().getRecordComponents()) {
            JsonNode value = tree.get(snake(part.getName()));
            parts.put(
                    snake(part.getName()),
                    value == null ? unknownPart(fact, part.getName()) : RecordJson.plain(value));
        }
        return parts;
    }

    private Value.Unknown unknownPart(Fact fact, String part) {
        String type = fact.getClass().getSimpleName();
        String why = whyUnknown(type + "." + part);
        return new Value.Unknown(
                why != null ? why : snake(type) + "." + snake(part) + " was not told");
    }

    private String whyUnknown(String what) {
        String why = null;
        for (Observed observed : facts) {
            if (observed.fact() instanceof Unknown unknown && unknown.what().equals(what)) {
                why = unknown.why();
            }
        }
        return why;
    }

    /** GpuPair becomes gpu_pair, as in JSON. */
    private static String snake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
