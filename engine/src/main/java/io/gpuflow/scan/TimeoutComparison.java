package io.gpuflow.scan;

import io.gpuflow.facts.CollectiveState;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the collectives in which ranks timed out, as the watchdog's lines name them: another
 * operation or size at one number, or ranks that are stuck at different numbers. Says nothing when
 * the lines may speak of several process groups.
 */
final class TimeoutComparison {
    /** Seconds that count as the same time when a torn line does not tell the time-out. */
    private static final double AT_ONCE = 30;

    private final Map<Integer, Event> first = new TreeMap<>();
    private final Set<String> groups = new HashSet<>();

    TimeoutComparison(List<Event> events) {
        for (Event e : events) {
            if (e.values.get("group") != null) {
                groups.add(e.values.get("group"));
            }
            if (e.id().equals("collective-timeout") && e.rank != null && sequence(e) != null) {
                first.merge(e.rank, e, (a, b) -> sequence(b) < sequence(a) ? b : a);
            }
        }
    }

    private static Long sequence(Event e) {
        Integer n = Prefix.number(e.values.get("seq"));
        return n == null ? null : Long.valueOf(n);
    }

    void facts(List<Observed> facts) {
        if (first.size() < 2 || groups.size() > 1) {
            return;
        }
        Set<Long> sequences = new HashSet<>();
        first.values().forEach(e -> sequences.add(sequence(e)));
        if (sequences.size() > 1 && together()) {
            tell("sequence", "seq", facts);
            return;
        }
        // Those that come later waited for peers that had gone; the earliest number counts.
        long earliest = sequences.stream().mapToLong(n -> n).min().orElseThrow();
        first.values().removeIf(e -> sequence(e) != earliest);
        if (first.size() > 1 && !different("op").isEmpty()) {
            tell("operation", "op", facts);
        } else if (first.size() > 1 && !different("numel").isEmpty()) {
            tell("shape", "numel", facts);
        }
    }

    /**
     * True when the ranks timed out at about the same time. One that times out much later has come
     * late, found its peers gone, and waited in a later collective.
     */
    private boolean together() {
        double earliest = Double.MAX_VALUE;
        double latest = 0;
        for (Event e : first.values()) {
            Integer timeout = Prefix.number(e.values.get("timeout"));
            if (e.time == null) {
                return false;
            }
            earliest = Math.min(earliest, e.time);
            latest = Math.max(latest, e.time);
            if (latest - earliest > (timeout == null ? AT_ONCE : timeout / 2000.0)) {
                return false;
            }
        }
        return true;
    }

    /** Ranks whose value is not the one of most ranks; empty when all are equal. */
    private List<Integer> different(String name) {
        String common = common(name);
        List<Integer> odd = new ArrayList<>();
        first.forEach(
                (rank, e) -> {
                    String value = e.values.get(name);
                    if (value != null && !value.equals(common)) {
                        odd.add(rank);
                    }
                });
        return odd;
    }

    private String common(String name) {
        Map<String, Integer> count = new TreeMap<>();
        for (Event e : first.values()) {
            if (e.values.get(name) != null) {
                count.merge(e.values.get(name), 1, Integer::sum);
            }
        }
        return count.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private void tell(String mismatch, String name, List<Observed> facts) {
        List<Integer> odd = different(name);
        // Of two ranks neither is the majority.
        List<Integer> named = 2 * odd.size() < first.size() ? odd : List.of();
        Event one = first.values().iterator().next();
        Event other = first.get(odd.get(0));
        CollectiveState state =
                new CollectiveState(
                        groups.isEmpty() ? "?" : groups.iterator().next(),
                        null,
                        sequence(one),
                        one.values.get("op"),
                        null,
                        List.copyOf(first.keySet()),
                        List.of(),
                        List.of(),
                        List.of(),
                        mismatch,
                        named,
                        common(name),
                        other.values.get(name),
                        null,
                        "watchdog");
        for (Event e : List.of(one, other)) {
            facts.add(new Observed(state, new Source(e.file, (int) e.line, e.text)));
        }
    }
}
