package io.gpuflow.facts;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Everything that one log signature recognised in all logs, summarised. An observation, never a
 * cause by itself.
 *
 * @param signature id of the signature
 * @param kind fault (can be a cause), victim (follows from another rank's end), timeout (somebody
 *     waited too long), wrapper (passes on an error that is told elsewhere), end (somebody ended
 *     the job from outside), context (setting, version, state)
 * @param count lines recognised
 * @param ranks ranks that the lines speak for, sorted; empty when no line tells
 * @param hosts likewise
 * @param order place of the first line among the first lines of all sightings, from 0; by time
 *     where lines bear one, else by file and line
 * @param time seconds since the epoch of the first line, or null
 * @param passed the job went on afterwards and shows no failure: whatever it was, it did not end it
 * @param values what the first line captured; {@code where}, the user's source line, when a
 *     traceback ended there; {@code oneOf} when only one of the ranks said it and it can't be told
 *     which
 * @param all every distinct captured value by name, in order of appearance, at most 64 each; a name
 *     that is not there has the first line's value alone
 */
public record Sighting(
        String signature,
        String kind,
        int count,
        List<Integer> ranks,
        List<String> hosts,
        int order,
        Double time,
        boolean passed,
        Map<String, String> values,
        Map<String, List<String>> all)
        implements Fact {

    /** A captured value of the first line, or the empty text. */
    public String value(String name) {
        return values.getOrDefault(name, "");
    }

    /** True when some line captured this value. */
    public boolean any(String name, String value) {
        return different(name).contains(value);
    }

    /** True when some line captured a value that matches the regular expression as a whole. */
    public boolean like(String name, String pattern) {
        return different(name).stream().anyMatch(v -> v.matches(pattern));
    }

    private List<String> different(String name) {
        List<String> known = all.get(name);
        String first = values.get(name);
        return known != null ? known : first == null ? List.of() : List.of(first);
    }

    /** How many different values were captured. */
    public int distinct(String name) {
        return different(name).size();
    }

    /** True when two captured lists of ranks have no rank in common. */
    public boolean disjoint(String name) {
        List<List<Integer>> lists = different(name).stream().map(RankList::of).toList();
        return lists.stream()
                .anyMatch(a -> lists.stream().anyMatch(b -> Collections.disjoint(a, b)));
    }

    /** All different values, as one text. */
    public String each(String name) {
        return String.join(", ", different(name));
    }

    /** The first value as a number, or NaN. */
    public double number(String name) {
        try {
            return Double.parseDouble(value(name));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** True when some line captured a number lower than this one. */
    public boolean below(String name, Long limit) {
        return limit != null
                && different(name).stream()
                        .anyMatch(v -> v.matches("-?\\d{1,18}") && Long.parseLong(v) < limit);
    }

    /** Who said it, in words: rank 1, ranks 0, 2, or a process. */
    public String who() {
        if (ranks.isEmpty()) {
            return hosts.isEmpty() ? "a process" : "a process on " + String.join(", ", hosts);
        }
        if (values.containsKey("oneOf")) {
            return "one of the ranks "
                    + ranks.stream().map(String::valueOf).collect(Collectors.joining(" and "));
        }
        String list =
                ranks.stream().limit(8).map(String::valueOf).collect(Collectors.joining(", "));
        return (ranks.size() == 1 ? "rank " : "ranks ") + list + (ranks.size() > 8 ? " …" : "");
    }

    /** The first value of this name, or what to say without one. */
    public String or(String name, String otherwise) {
        String value = value(name);
        return value.isEmpty() ? otherwise : value;
    }
}
