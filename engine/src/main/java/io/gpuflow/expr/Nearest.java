package io.gpuflow.expr;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what somebody probably meant. */
public final class Nearest {
    private static final int MOST_LISTED = 12;

    private Nearest() {}

    /** The known name nearest to the given one, or null when none is near. */
    public static String to(String name, Collection<String> known) {
        String best = null;
        int least = Math.max(1, Math.min(4, name.length() / 3)) + 1;
        for (String candidate : known) {
            int distance = distance(fold(name), fold(candidate));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        String begun = least > 1 ? begun(fold(name), known) : null;
        if (begun != null) {
            return begun;
        }
        return best != null ? best : longer(fold(name), known);
    }

    /** {@code p2p-disabled-on-pcie} for {@code p2p-disabled}, which is no slip of a few keys. */
    private static String begun(String name, Collection<String> known) {
        return known.stream()
                .filter(k -> name.length() >= 5 && fold(k).startsWith(name))
                .min(Comparator.comparing(String::length).thenComparing(k -> k))
                .orElse(null);
    }

    /** {@code integer} for {@code int}, {@code prob} for {@code probe-all}. */
    private static String longer(String name, Collection<String> known) {
        for (String candidate : known) {
            String other = fold(candidate);
            boolean enough = Math.min(name.length(), other.length()) >= 3;
            if (enough && (name.startsWith(other) || other.startsWith(name))) {
                return candidate;
            }
        }
        return null;
    }

    /** "did you mean X?", else "known are: …"; empty when there is nothing to offer. */
    public static String hint(String name, Collection<String> known) {
        String near = to(name, known);
        if (near != null) {
            return "did you mean " + near + "?";
        }
        if (known.isEmpty()) {
            return "";
        }
        String more = known.size() > MOST_LISTED ? " …" : "";
        return known.stream().limit(MOST_LISTED).collect(Collectors.joining(", ", "known: ", more));
    }

    static String functions(String word) {
        List<String> macros = List.of("has", "all", "exists", "filter", "map");
        Stream<String> functions = Arrays.stream(Function.values()).map(f -> f.word);
        return hint(word, Stream.concat(functions, macros.stream()).toList());
    }

    private static String fold(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Edits (insert, delete, replace, swap of neighbours) between two words, at most 99. */
    private static int distance(String a, String b) {
        if (Math.abs(a.length() - b.length()) > 4 || a.length() > 64) {
            return 99;
        }
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : edit(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int edit(int[][] cost, String a, String b, int i, int j) {
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least =
                Math.min(
                        cost[i - 1][j - 1] + replace,
                        Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1));
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
