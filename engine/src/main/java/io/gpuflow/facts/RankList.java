package io.gpuflow.facts;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ranks as logs write them: {@code 1, 3, 5}. */
public final class RankList {
    private static final Pattern GAP = Pattern.compile("\\D+");
    private static final int LONGEST = 9;

    private RankList() {}

    /** The ranks in a text, sorted; empty when there are none. */
    public static List<Integer> of(String text) {
        return GAP.splitAsStream(text)
                .filter(d -> !d.isEmpty() && d.length() <= LONGEST)
                .map(Integer::valueOf)
                .distinct()
                .sorted()
                .toList();
    }

    /** They, sorted, with commas. */
    public static String join(String text) {
        return of(text).stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** They in words: rank 1, or ranks 1, 3. */
    public static String words(String text) {
        return (of(text).size() == 1 ? "rank " : "ranks ") + join(text);
    }
}
