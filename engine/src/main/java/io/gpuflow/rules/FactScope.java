package io.gpuflow.rules;

import io.gpuflow.expr.Type;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Unknown;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Facts as conditions name them: {@code facts.topology.link_class}, {@code facts.gpu[0].model}. A
 * machine has one of some types; of all others the name is a list. Nothing is looked at before a
 * condition asks for it.
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

    private static final Map<String, Class<? extends Fact>> NAMES = new LinkedHashMap<>();

    static {
        FactTypes.all().forEach(t -> NAMES.put(FactFields.snake(t.getSimpleName()), t));
    }

    private final Map<Class<?>, List<FactValue>> byType = new HashMap<>();
    private final Map<String, String> unknown = new HashMap<>();
    private final Set<String> known;
    private final Map<String, Object> values = new Root();
    private Collection<Fact> touched;

    /** Facts in the order in which they were found: of several the last one counts. */
    public FactScope(Collection<? extends Fact> facts) {
        Set<String> complete = new java.util.HashSet<>();
        for (Fact fact : facts) {
            byType.computeIfAbsent(fact.getClass(), t -> new ArrayList<>())
                    .add(new FactValue(fact));
            if (fact instanceof Unknown u) {
                unknown.put(u.what(), u.why());
            } else if (fact instanceof Known k) {
                complete.add(k.what());
            }
        }
        known = complete;
    }

    /** The names and types that exist, for checking a condition before there are facts. */
    public static Type.Fields type() {
        Map<String, Type> types = new LinkedHashMap<>();
        NAMES.forEach(
                (name, fact) -> {
                    Map<String, Type> parts = new LinkedHashMap<>();
                    for (RecordComponent part : fact.getRecordComponents()) {
                        parts.put(FactFields.snake(part.getName()), typeOf(part.getGenericType()));
                    }
                    Type one = Type.fields("fact " + name, parts);
                    types.put(name, ONE.contains(fact.getSimpleName()) ? one : Type.listOf(one));
                });
        return Type.fields("facts", types);
    }

    /** The fact type that a condition names so, or null. */
    public static Class<? extends Fact> named(String name) {
        return NAMES.get(name);
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
    public Map<String, Object> values() {
        return values;
    }

    /** From now on, facts of which a part is read are added to this collection; null ends it. */
    public void touching(Collection<Fact> facts) {
        touched = facts;
    }

    private Object valueOf(Class<? extends Fact> type) {
        List<FactValue> found = byType.get(type);
        String name = type.getSimpleName();
        boolean one = ONE.contains(name);
        if (found != null) {
            return one ? found.get(found.size() - 1) : found;
        }
        if (!one && (type == io.gpuflow.facts.Finding.class || known.contains(name))) {
            return List.of();
        }
        String why = unknown.get(name);
        return new Value.Unknown(
                why != null ? why : "no step has told " + FactFields.snake(name) + " yet");
    }

    private Value.Unknown unknownPart(Fact fact, String part) {
        String type = fact.getClass().getSimpleName();
        for (RecordComponent c : fact.getClass().getRecordComponents()) {
            if (FactFields.snake(c.getName()).equals(part)) {
                String why = unknown.get(type + "." + c.getName());
                if (why != null) {
                    return new Value.Unknown(why);
                }
            }
        }
        return new Value.Unknown(FactFields.snake(type) + "." + part + " was not told");
    }

    /** All fact types by name. */
    private final class Root extends AbstractMap<String, Object> {
        @Override
        public boolean containsKey(Object name) {
            return NAMES.containsKey(name);
        }

        @Override
        public Object get(Object name) {
            Class<? extends Fact> type = NAMES.get(name);
            return type == null ? null : valueOf(type);
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            Map<String, Object> all = new LinkedHashMap<>();
            NAMES.forEach((name, type) -> all.put(name, valueOf(type)));
            return all.entrySet();
        }
    }

    /** The parts of one fact by name. */
    private final class FactValue extends AbstractMap<String, Object> {
        private final Fact fact;
        private final FactParts parts;

        FactValue(Fact fact) {
            this.fact = fact;
            this.parts = FactParts.of(fact.getClass());
        }

        @Override
        public boolean containsKey(Object name) {
            return parts.names().contains(name);
        }

        @Override
        public Object get(Object name) {
            if (!containsKey(name)) {
                return null;
            }
            if (touched != null) {
                touched.add(fact);
            }
            Object value = parts.get((Record) fact, (String) name);
            return value == null ? unknownPart(fact, (String) name) : value;
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            Map<String, Object> all = new LinkedHashMap<>();
            parts.names().forEach(name -> all.put(name, get(name)));
            return all.entrySet();
        }
    }
}
