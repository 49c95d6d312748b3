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
        long[] numbers = numbers(group);
        int place = differing(group, numbers);
        return place == numbers.length
                ? null
                : judge(group, numbers[place], classes(group, numbers[place]));
    }

    /**
     * The first place at which a rank's call differs from that of the first rank that has one, else
     * their count. Looks at each call once, whatever part of the numbers a rank has.
     */
    private static int differing(GroupView group, long[] numbers) {
        Call[] first = new Call[numbers.length];
        int lowest = numbers.length;
        for (GroupView.Member member : group.seen.values()) {
            int place = -1;
            for (int i = 0; i < member.issued.size(); i++) {
                Call call = member.issued.get(i);
                int next = place + 1;
                place =
                        numbers[next] == call.sequence()
                                ? next
                                : Arrays.binarySearch(numbers, call.sequence());
                if (place >= lowest) {
                    break;
                }
                if (first[place] == null) {
                    first[place] = call;
                } else if (!Stream.agree(first[place], call)) {
                    lowest = place;
                }
            }
        }
        return lowest;
    }

    /** The numbers that any rank issued, ascending; mostly all ranks issued the same. */
    private static long[] numbers(GroupView group) {
        List<GroupView.Member> members = List.copyOf(group.seen.values());
        return members.isEmpty() ? new long[0] : numbers(members);
    }

    /**
     * By halves: when all ranks' numbers differ, adding one rank after the other costs a square.
     */
    private static long[] numbers(List<GroupView.Member> members) {
        int half = members.size() / 2;
        return half == 0
                ? members.get(0).issued.numbers()
                : union(
                        numbers(members.subList(0, half)),
                        numbers(members.subList(half, members.size())));
    }

    private static long[] union(long[] all, long[] more) {
        if (Arrays.equals(all, more)) {
            return all;
        }
        long[] union = new long[all.length + more.length];
        int used = 0;
        int a = 0;
        int m = 0;
        while (a < all.length || m < more.length) {
            if (m == more.length || a < all.length && all[a] <= more[m]) {
                m += m < more.length && all[a] == more[m] ? 1 : 0;
                union[used++] = all[a++];
            } else {
                union[used++] = more[m++];
            }
        }
        return Arrays.copyOf(union, used);
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
