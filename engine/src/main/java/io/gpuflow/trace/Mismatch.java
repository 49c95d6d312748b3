package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The first collective of a group at which its ranks' calls differ, and who is odd.
 *
 * @param kind order, left-out, extra, operation, shape or dtype
 * @param odd ranks whose call differs from the majority's; all of them when there is none
 */
record Mismatch(long sequence, String kind, List<Integer> odd, Call expected, Call found) {

    /** The earliest one in the window that the buffers share, or null. */
    static Mismatch first(GroupView group) {
        TreeSet<Long> numbers = new TreeSet<>();
        group.seen.values().forEach(m -> numbers.addAll(m.bySequence.keySet()));
        for (long sequence : numbers) {
            Map<Call, List<Integer>> classes = classes(group, sequence);
            if (classes.size() > 1) {
                return judge(group, sequence, classes);
            }
        }
        return null;
    }

    /** Ranks by call, equal calls together. */
    private static Map<Call, List<Integer>> classes(GroupView group, long sequence) {
        Map<Call, List<Integer>> classes = new LinkedHashMap<>();
        for (GroupView.Member member : group.seen.values()) {
            Call call = member.at(sequence);
            if (call == null) {
                continue;
            }
            Call like = null;
            for (Call known : classes.keySet()) {
                if (Stream.agree(known, call)) {
                    like = known;
                    break;
                }
            }
            classes.computeIfAbsent(like == null ? call : like, c -> new ArrayList<>())
                    .add(member.rank);
        }
        return classes;
    }

    private static Mismatch judge(
            GroupView group, long sequence, Map<Call, List<Integer>> classes) {
        Call normal = null;
        boolean tie = false;
        for (Call call : classes.keySet()) {
            int order = normal == null ? 1 : compare(group, sequence, classes, call, normal);
            tie = order == 0 || tie && order < 0;
            normal = order > 0 ? call : normal;
        }
        List<Integer> odd = new ArrayList<>();
        Call found = null;
        for (Map.Entry<Call, List<Integer>> each : classes.entrySet()) {
            if (each.getKey() != normal) {
                odd.addAll(each.getValue());
                found = found == null ? each.getKey() : found;
            }
        }
        Stream.Calls others = group.seen.get(classes.get(normal).get(0));
        String kind = Stream.difference(group.seen.get(odd.get(0)), others, sequence);
        if (tie) {
            odd.addAll(classes.get(normal));
        }
        odd.sort(null);
        return new Mismatch(sequence, kind, List.copyOf(odd), normal, found);
    }

    /**
     * Positive when {@code a} is more likely what was meant: more ranks call it, or it was called
     * here before.
     */
    private static int compare(
            GroupView group, long sequence, Map<Call, List<Integer>> classes, Call a, Call b) {
        int ranks = Integer.compare(classes.get(a).size(), classes.get(b).size());
        if (ranks != 0) {
            return ranks;
        }
        int before =
                Boolean.compare(seenBefore(group, sequence, a), seenBefore(group, sequence, b));
        return before != 0 ? before : leftOut(group, sequence, classes, a, b);
    }

    /**
     * When one stream is the other's some calls later, the rank that is ahead left something out.
     */
    private static int leftOut(
            GroupView group, long sequence, Map<Call, List<Integer>> classes, Call a, Call b) {
        Stream.Calls one = group.seen.get(classes.get(a).get(0));
        Stream.Calls other = group.seen.get(classes.get(b).get(0));
        return switch (Stream.difference(one, other, sequence)) {
            case "left-out" -> -1;
            case "extra" -> -1;
            default -> 0;
        };
    }

    private static boolean seenBefore(GroupView group, long sequence, Call call) {
        return group.seen.values().stream()
                .flatMap(m -> m.bySequence.values().stream())
                .anyMatch(c -> c.sequence() < sequence && Stream.agree(c, call));
    }
}
