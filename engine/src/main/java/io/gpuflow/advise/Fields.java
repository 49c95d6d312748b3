package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Reads the fields of a model's description and collects all that is missing, odd or assumed. */
final class Fields {
    /** More than any model has; a larger number is a mistake. */
    private static final long MOST = 1L << 24;

    private static final double MOST_PARAMETERS = 1e14;

    private final Map<String, Object> tree;
    private final List<String> problems = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> assumed = new ArrayList<>();

    Fields(Map<String, Object> tree) {
        this.tree = tree;
    }

    boolean has(String name) {
        return tree.get(name) != null;
    }

    /** There, be it as null. */
    boolean mentions(String name) {
        return tree.containsKey(name);
    }

    /** A size that must be there, under the first of these names that is. */
    int need(String... names) {
        for (String name : names) {
            if (has(name)) {
                return whole(name, 1);
            }
        }
        missing.add(names[0]);
        return 1;
    }

    /** A size with a value of the family when it is not there; that is said. */
    int assume(int otherwise, String from, String... names) {
        for (String name : names) {
            if (has(name)) {
                return whole(name, 1);
            }
        }
        assumed.add(names[0] + ": " + otherwise + " (" + from + ")");
        return otherwise;
    }

    /** A count whose absence, or null, means something well known; 0 means that there are none. */
    int optional(int otherwise, String name) {
        return has(name) ? whole(name, 0) : otherwise;
    }

    /** A size whose absence, or null, means something well known; 0 cannot be. */
    int optionalSize(int otherwise, String name) {
        return has(name) ? whole(name, 1) : otherwise;
    }

    private int whole(String name, long least) {
        Object value = tree.get(name);
        boolean number = value instanceof Integer || value instanceof Long;
        if (!number) {
            problems.add(name + ": expected a whole number, found " + words(value));
            return 1;
        }
        long n = ((Number) value).longValue();
        if (n < least || n > MOST) {
            problems.add(name + ": " + n + " cannot be; expected " + least + " to " + MOST);
            return 1;
        }
        return (int) n;
    }

    boolean flag(boolean otherwise, String name) {
        Object value = tree.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        problems.add(name + ": expected true or false, found " + words(value));
        return otherwise;
    }

    double share(double otherwise, String name) {
        Object value = tree.get(name);
        if (value == null) {
            return otherwise;
        }
        double number = value instanceof Number n ? n.doubleValue() : -1;
        if (number >= 0 && number <= 1) {
            return number;
        }
        problems.add(name + ": expected a number from 0 to 1, found " + words(value));
        return otherwise;
    }

    String text(String otherwise, String name) {
        Object value = tree.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof String text) {
            return text;
        }
        problems.add(name + ": expected a text, found " + words(value));
        return otherwise;
    }

    @SuppressWarnings("unchecked")
    Fields inner(String name) {
        Object value = tree.get(name);
        if (value instanceof Map<?, ?> map) {
            return new Fields((Map<String, Object>) map);
        }
        problems.add(name + ": expected a map, found " + words(value));
        return new Fields(Map.of());
    }

    int listSize(String name) {
        return tree.get(name) instanceof List<?> list ? list.size() : 0;
    }

    /** How many entries of a list are this text; -1 when there is no such list. */
    int count(String name, String wanted) {
        if (!(tree.get(name) instanceof List<?> list)) {
            return -1;
        }
        return (int) list.stream().filter(wanted::equals).count();
    }

    /** Sizes that may each be, and together cannot. */
    void plausible(ModelShape m) {
        double query = (double) m.heads() * m.headDim();
        if (query > MOST) {
            problems.add(m.heads() + " heads of " + m.headDim() + " cannot be");
        }
        double h = m.hidden();
        ModelShape.Experts e = m.experts();
        double experts = e == null ? 0 : (double) e.count() * e.ffn() + e.shared() + e.count();
        double layer = 4 * h * query + 3 * h * (m.ffn() + experts);
        double all = 2 * h * m.vocab() + h * m.block().positions() + m.layers() * layer;
        if (all > MOST_PARAMETERS) {
            problems.add(
                    String.format(
                            Locale.ROOT, "%.0e parameters cannot be; expected at most 1e14", all));
        }
    }

    void problem(String text) {
        problems.add(text);
    }

    void assumed(String text) {
        assumed.add(text);
    }

    List<String> assumed() {
        return List.copyOf(assumed);
    }

    /** Names that nobody asked for. */
    void onlyThese(String... known) {
        for (String name : new TreeSet<>(tree.keySet())) {
            if (!List.of(known).contains(name)) {
                problems.add(name + ": not known here; there are " + String.join(", ", known));
            }
        }
    }

    /** What another description found belongs to this one. */
    void take(String prefix, Fields other) {
        other.problems.forEach(p -> problems.add(prefix + p));
        other.missing.forEach(m -> missing.add(prefix + m));
        other.assumed.forEach(a -> assumed.add(prefix + a));
    }

    void check(String name) throws BadModel {
        List<String> all = new ArrayList<>();
        if (!missing.isEmpty()) {
            all.add("missing: " + String.join(", ", missing));
        }
        all.addAll(problems);
        if (!all.isEmpty()) {
            if (!assumed.isEmpty()) {
                all.add("assumed so far: " + String.join("; ", assumed));
            }
            throw new BadModel(all.stream().map(p -> name + ": " + p).toList());
        }
    }

    private static String words(Object value) {
        String text = String.valueOf(value);
        String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
        return shown.replaceAll("\\p{Cntrl}", "?");
    }
}
