package io.gpuflow.trace;

import java.util.List;
import java.util.Set;

/** Compares what two ranks issued in one group. */
final class Stream {
    /**
     * Operations whose call must be the same on every rank; of the others only the operation is
     * compared.
     */
    private static final Set<String> SIZED =
            Set.of(
                    "all_reduce",
                    "all_reduce_barrier",
                    "broadcast",
                    "reduce",
                    "all_gather",
                    "_all_gather_base",
                    "all_gather_into_tensor",
                    "reduce_scatter",
                    "_reduce_scatter_base",
                    "reduce_scatter_tensor",
                    "barrier");

    /** How far a stream may be shifted; further apart, equal calls mean nothing. */
    private static final int FURTHEST = 32;

    private Stream() {}

    /** True when the two calls can be the same collective. */
    static boolean agree(Call a, Call b) {
        return a.what() == b.what()
                || a.operation().equals(b.operation())
                        && (!SIZED.contains(a.operation()) || sameSize(a, b) && sameTypes(a, b));
    }

    /** Equal for calls that agree, where sizes and types were recorded. */
    static Object key(Call call) {
        return SIZED.contains(call.operation())
                ? List.of(call.operation(), call.elements(), call.types())
                : call.operation();
    }

    private static boolean sameSize(Call a, Call b) {
        return a.elements() < 0 || b.elements() < 0 || a.elements() == b.elements();
    }

    private static boolean sameTypes(Call a, Call b) {
        return a.types().isEmpty() || b.types().isEmpty() || a.types().equals(b.types());
    }

    /**
     * How the odd rank's calls differ from the others', from the first different one on.
     *
     * @return order, left-out, extra, operation, shape or dtype
     */
    static String difference(Calls odd, Calls others, long from) {
        Call o = odd.at(from);
        Call m = others.at(from);
        Call o1 = odd.at(from + 1);
        Call m1 = others.at(from + 1);
        if (o1 != null && m1 != null && agree(o, m1) && agree(o1, m)) {
            return "order";
        }
        if (shifted(odd, others, from)) {
            return "left-out";
        }
        if (shifted(others, odd, from)) {
            return "extra";
        }
        if (!o.operation().equals(m.operation())) {
            return "operation";
        }
        return sameSize(o, m) ? "dtype" : "shape";
    }

    /** True when all that {@code ahead} still has is what {@code behind} has some calls later. */
    private static boolean shifted(Calls ahead, Calls behind, long from) {
        for (int by = 1; by <= FURTHEST && behind.at(from + by) != null; by++) {
            int equal = 0;
            boolean all = true;
            for (long s = from; all && ahead.at(s) != null && behind.at(s + by) != null; s++) {
                all = agree(ahead.at(s), behind.at(s + by));
                equal++;
            }
            // One equal call proves little unless it is of a kind that differs from what stood
            // there.
            if (all
                    && equal > 0
                    && (equal > 1
                            || by == 1
                            || !ahead.at(from).operation().equals(behind.at(from).operation()))) {
                return true;
            }
        }
        return false;
    }

    /** The collectives of one rank in one group, by number. */
    interface Calls {
        /** The call, or null when it was not issued or is no longer in the buffer. */
        Call at(long sequence);
    }

    /** A call in words: all_reduce of 1024 Float. */
    static String words(Call call) {
        String size = call.elements() < 0 ? "" : " of " + call.elements() + " " + call.types();
        return call.operation() + size.stripTrailing();
    }
}
