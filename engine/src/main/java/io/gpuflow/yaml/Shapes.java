package io.gpuflow.yaml;

import io.gpuflow.expr.Durations;
import io.gpuflow.expr.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The shapes that files are made of. */
public final class Shapes {
    private Shapes() {}

    /** A shape of one scalar. */
    private record OfScalar<T>(
            String words,
            Map<String, Object> schema,
            BiFunction<YamlNode.Scalar, Problems, T> reading)
            implements Shape<T> {
        @Override
        public T read(YamlNode node, Problems problems) {
            if (node instanceof YamlNode.Scalar scalar && !scalar.isEmpty()) {
                return reading.apply(scalar, problems);
            }
            return Wording.expected(words, node, problems);
        }
    }

    /** A shape of one scalar, for further kinds; an empty value never reaches the reading. */
    public static <T> Shape<T> scalar(
            String words,
            Map<String, Object> schema,
            BiFunction<YamlNode.Scalar, Problems, T> reading) {
        return new OfScalar<>(words, schema, reading);
    }

    /** Text; numbers and words such as {@code true} are taken as they are written. */
    public static Shape<String> text() {
        return scalar(
                "text",
                Map.of("type", List.of("string", "number", "boolean")),
                (scalar, problems) -> scalar.value());
    }

    /** Text that a whole pattern must match. */
    public static Shape<String> text(String words, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return scalar(
                words,
                Map.of("type", "string", "pattern", "^(" + pattern + ")$"),
                (scalar, problems) ->
                        compiled.matcher(scalar.value()).matches()
                                ? scalar.value()
                                : Wording.expected(words, scalar, problems));
    }

    /** An id: kebab-case, at most 64 characters. */
    public static Shape<String> id() {
        return text("an id such as ddp-smoke", "[a-z][a-z0-9]{0,63}(-[a-z0-9]{1,63}){0,9}");
    }

    /** One of the words of an enum, in lower case with - for _. */
    public static <E extends Enum<E>> Shape<E> word(Class<E> type) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            words.put(
                    constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), constant);
        }
        return word(words);
    }

    /** One of the given words. */
    public static <T> Shape<T> word(Map<String, T> words) {
        String expected = "one of " + String.join(", ", words.keySet());
        return scalar(
                expected,
                Map.of("enum", List.copyOf(words.keySet())),
                (scalar, problems) -> {
                    T value = words.get(scalar.value());
                    if (value == null) {
                        String near = Nearest.to(scalar.value(), words.keySet());
                        String says = Wording.shown(scalar.value()) + " is not " + expected;
                        problems.at(scalar, says, near == null ? "" : "did you mean " + near + "?");
                    }
                    return value;
                });
    }

    /**
     * A reference to something that exists.
     *
     * @param what what is referred to: "action"
     * @param names asked for only when there is such a reference
     */
    public static Shape<String> known(String what, Supplier<? extends Collection<String>> names) {
        return new Reference(what, names);
    }

    /** true or false, and nothing that only looks like it. */
    public static Shape<Boolean> flag() {
        String words = "true or false";
        return scalar(
                words,
                Map.of("type", "boolean"),
                (scalar, problems) ->
                        Core.value(scalar) instanceof Boolean b
                                ? b
                                : Wording.expected(words, scalar, problems));
    }

    public static Shape<Integer> whole(int least, int most) {
        String words = "a whole number from " + least + " to " + most;
        return scalar(
                words,
                Map.of("type", "integer", "minimum", least, "maximum", most),
                (scalar, problems) ->
                        Core.value(scalar) instanceof Long n && n >= least && n <= most
                                ? (Integer) n.intValue()
                                : Wording.expected(words, scalar, problems));
    }

    public static Shape<Double> number(double least, double most) {
        String words = "a number";
        if (!Double.isInfinite(least) || !Double.isInfinite(most)) {
            words += " from " + least + " to " + most;
        }
        Map<String, Object> schema = new LinkedHashMap<>(Map.of("type", "number"));
        if (!Double.isInfinite(least)) {
            schema.put("minimum", least);
        }
        if (!Double.isInfinite(most)) {
            schema.put("maximum", most);
        }
        String expected = words;
        return scalar(
                words,
                schema,
                (scalar, problems) ->
                        Core.value(scalar) instanceof Number n
                                        && n.doubleValue() >= least
                                        && n.doubleValue() <= most
                                ? (Double) n.doubleValue()
                                : Wording.expected(expected, scalar, problems));
    }

    /** A duration above zero with its unit. */
    public static Shape<Duration> duration() {
        String words = "a duration such as 90s, 5m or 1h30m";
        return scalar(
                words,
                Map.of("type", "string", "pattern", "^([0-9]+(\\.[0-9]+)?(h|ms|us|ns|m|s))+$"),
                (scalar, problems) -> {
                    Duration duration = Durations.parse(scalar.value());
                    if (duration != null && duration.compareTo(Duration.ZERO) > 0) {
                        return duration;
                    }
                    boolean number = Core.value(scalar) instanceof Number;
                    String unit = number ? "add the unit: " + scalar.value() + "s" : "";
                    problems.at(scalar, Wording.mustBe(words, scalar), unit);
                    return null;
                });
    }

    public static <T> Shape<List<T>> list(Shape<T> item) {
        return list(item, 0, Integer.MAX_VALUE);
    }

    /** A list; items that were reported are left out. */
    public static <T> Shape<List<T>> list(Shape<T> item, int least, int most) {
        return new Containers.ListShape<>(item, least, most, false);
    }

    /** A list, or one item alone. */
    public static <T> Shape<List<T>> oneOrMore(Shape<T> item) {
        return new Containers.ListShape<>(item, 1, Integer.MAX_VALUE, true);
    }

    /**
     * A map from names to values, in file order; entries that were reported are left out.
     *
     * @param key what a key must look like; its own problems are reported at the key
     */
    public static <T> Shape<Map<String, T>> map(Shape<String> key, Shape<T> value) {
        return new Containers.NamedShape<>(key, value);
    }

    /** The first shape whose kind of node (scalar, list or map) is there. */
    public static <T> Shape<T> either(Shape<? extends T> scalar, Shape<? extends T> other) {
        return new Containers.Either<>(scalar, other);
    }

    /** Whatever a shape reads, made into something else; null stays null. */
    public static <A, B> Shape<B> as(Shape<A> shape, Function<A, B> change) {
        return new Containers.Changed<>(shape, change);
    }

    /** Any value, as null, Boolean, Long, Double, String, List and Map. */
    public static Shape<Object> any() {
        return new AnyShape((scalar, problems) -> Core.value(scalar));
    }

    /** A value that the caller looks at itself. */
    public static Shape<YamlNode> node() {
        return new Containers.AnyNode();
    }

    /** A map of anything; the values are read by the given shape. */
    public static Shape<Map<String, Object>> mapOfAny(Shape<Object> any) {
        return new Containers.AnyMap(any);
    }

    /** Any value; what a scalar becomes is said by the caller. */
    static Shape<Object> any(BiFunction<YamlNode.Scalar, Problems, Object> leaf) {
        return new AnyShape(leaf);
    }

    /** The names in a list of scalars with where they stand, for checking references. */
    public static List<YamlNode.Scalar> scalars(YamlNode node) {
        List<YamlNode.Scalar> list = new ArrayList<>();
        if (node instanceof YamlNode.Scalar scalar) {
            list.add(scalar);
        } else if (node instanceof YamlNode.Items items) {
            for (YamlNode item : items.items()) {
                if (item instanceof YamlNode.Scalar scalar) {
                    list.add(scalar);
                }
            }
        }
        return list;
    }
}
