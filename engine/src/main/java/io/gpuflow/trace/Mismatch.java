package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The first collective of a group at which its ranks' calls differ, and who is odd.
 *
 * @param kind order, left-out, extra, operation, shape or dtype
 * @param odd ranks whose call differs from the majority's; all of them when there is none
 */
record Mismatch(long sequence, String kind, List<Integer> odd, Call expected, Call found) {
    /** Calls whose sizes were not recorded are compared with so many kinds at most. */
    private static final int MOST_COMPARED = 64;

    /** The earliest one in the window that the buffers share, or null. */
    static Mismatch first(GroupView group) {
        for (long sequence : numbers(group)) {
            if (differs(group, sequence)) {
                return judge(group, sequence, classes(group, sequence));
            }
        }
        return null;
    }

    /** The numbers that any rank issued, ascending; mostly all ranks issued the same. */
    private static long[] numbers(GroupView group) {
        long[] all = {};
        for (GroupView.Member member : group.seen.values()) {
            all = union(all, member.issued);
        }
        return all;
    }

    private static long[] union(long[] all, Issued more) {
        long[] union = new long[all.length + more.size()];
        int used = 0;
        int a = 0;
        int m = 0;
        while (a < all.length || m < more.size()) {
            long next = m < more.size() ? more.get(m).sequence() : Long.MAX_VALUE;
            if (a < all.length && all[a] <= next) {
                m += all[a] == next && m < more.size() ? 1 : 0;
                union[used++] = all[a++];
            } else {
                union[used++] = next;
                m++;
            }
        }
        return used == all.length ? all : Arrays.copyOf(union, used);
    }

    private static boolean differs(GroupView group, long sequence) {
        Call first = null;
        for (GroupView.Member member : group.seen.values()) {
            Call call = member.at(sequence);
            if (first == null) {
                first = call;
            } else if (call != null && !Stream.agree(first, call)) {
                return true;
            }
        }
        return false;
    }

    /** Ranks by call, equal calls together. */
    private static Map<Call, List<Integer>> classes(GroupView group, long sequence) {
        Map<Call, List<Integer>> classes = new LinkedHashMap<>();
        Map<Object, Call> exact = new HashMap<>();
        for (GroupView.Member member : group.seen.values()) {
            Call call = member.at(sequence);
            if (call == null) {
                continue;
            }
            Call like = exact.get(Stream.key(call));
            if (like == null) {
                like = agreeing(classes, call);
                exact.put(Stream.key(call), like);
            }
            classes.computeIfAbsent(like, c -> new ArrayList<>()).add(member.rank);
        }
        return classes;
    }

    /** A known call that this one can be; what was not recorded agrees with anything. */
    private static Call agreeing(Map<Call, List<Integer>> classes, Call call) {
        int tried = 0;
        for (Call known : classes.keySet()) {
            if (tried++ < MOST_COMPARED && Stream.agree(known, call)) {
                return known;
            }
        }
        return call;
    }

    private static Mismatch judge(
            GroupView group, long sequence, Map<Call, List<Integer>> classes) {
        Set<Object> before = before(group, sequence);
        Call normal = null;
        boolean tie = false;
        for (Call call : classes.keySet()) {
            int order =
                    normal == null ? 1 : compare(group, sequence, classes, before, call, normal);
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
            GroupView group,
            long sequence,
            Map<Call, List<Integer>> classes,
            Set<Object> before,
            Call a,
            Call b) {
        int ranks = Integer.compare(classes.get(a).size(), classes.get(b).size());
        if (ranks != 0) {
            return ranks;
        }
        int known = Boolean.compare(before.contains(Stream.key(a)), before.contains(Stream.key(b)));
        if (known != 0) {
            return known;
        }
        int shifted = leftOut(group, sequence, classes, a, b);
        return shifted != 0 ? shifted : goesOn(group, sequence, classes, a, b);
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

    /**
     * One repeats what it did just before, as the other did until now; the other has left the loop
     * before it, and is ahead.
     */
    private static int goesOn(
            GroupView group, long sequence, Map<Call, List<Integer>> classes, Call a, Call b) {
        return Boolean.compare(
                repeats(group, sequence, classes.get(a).get(0), a),
                repeats(group, sequence, classes.get(b).get(0), b));
    }

    private static boolean repeats(GroupView group, long sequence, int rank, Call call) {
        Call last = group.seen.get(rank).at(sequence - 1);
        return last != null
                && Stream.key(last).equals(Stream.key(call))
                && Objects.equals(last.where(), call.where());
    }

    /** What any rank called earlier than this number. */
    private static Set<Object> before(GroupView group, long sequence) {
        Set<Object> before = new HashSet<>();
        for (GroupView.Member member : group.seen.values()) {
            for (int i = 0; i < member.issued.size(); i++) {
                Call call = member.issued.get(i);
                if (call.sequence() < sequence) {
                    before.add(Stream.key(call));
                }
            }
        }
        return before;
    }
}
