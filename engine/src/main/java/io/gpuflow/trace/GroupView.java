package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One process group as all dumps together show it. */
final class GroupView {
    final String name;
    final String kind;
    final List<Integer> members;

    /** Ranks that left a dump, with what they did in this group. */
    final Map<Integer, Member> seen = new TreeMap<>();

    GroupView(String name, String kind, List<Integer> members) {
        this.name = name;
        this.kind = kind;
        this.members = members;
    }

    /** One rank's part. */
    static final class Member implements Stream.Calls {
        final int rank;
        final Issued issued = new Issued();
        final List<Call> sendsAndReceives = new ArrayList<>();
        long enqueued = -1;
        long completed = -1;
        boolean told;
        Call oldestOpen;
        private Map<Integer, List<Call>> openByWay;

        Member(int rank) {
            this.rank = rank;
        }

        void add(Call call) {
            if (call.pointToPoint()) {
                sendsAndReceives.add(call);
                return;
            }
            issued.add(call);
            told = true;
            enqueued = Math.max(enqueued, call.sequence());
            if (call.completed()) {
                completed = Math.max(completed, call.sequence());
            } else if (oldestOpen == null || call.sequence() < oldestOpen.sequence()) {
                oldestOpen = call;
            }
        }

        /**
         * What was sent and received and is open, by the peer in the group: its number for sends,
         * −1 less its number for receives. Asked when all was added.
         */
        Map<Integer, List<Call>> openByWay() {
            if (openByWay == null) {
                openByWay = new TreeMap<>();
                for (Call call : sendsAndReceives) {
                    if (!call.completed()) {
                        int way = call.sends() ? call.peer() : -1 - call.peer();
                        openByWay.computeIfAbsent(way, k -> new ArrayList<>()).add(call);
                    }
                }
            }
            return openByWay;
        }

        @Override
        public Call at(long sequence) {
            return issued.at(sequence);
        }

        boolean issued(long sequence) {
            return enqueued >= sequence;
        }
    }

    /** The lowest number that some rank issued and has not completed, or −1. */
    long frontier() {
        return seen.values().stream()
                .filter(m -> m.oldestOpen != null)
                .mapToLong(m -> m.oldestOpen.sequence())
                .min()
                .orElse(-1);
    }

    /** Members without a dump. */
    List<Integer> silent() {
        return members.stream().filter(r -> !seen.containsKey(r)).toList();
    }

    /** Global rank of a rank in this group, or −1. */
    int global(int local) {
        return local < members.size() ? members.get(local) : members.isEmpty() ? local : -1;
    }

    int local(int global) {
        return members.isEmpty() ? global : members.indexOf(global);
    }
}
