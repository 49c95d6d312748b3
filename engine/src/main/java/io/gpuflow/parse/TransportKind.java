package io.gpuflow.parse;

import java.util.Collection;

/** Kinds of transport, from what NCCL's log says after "via". */
public final class TransportKind {
    private static final String[] SLOWEST_FIRST = {
        "NET/Socket", "NET/", "SHM", "direct shared memory", "P2P"
    };

    private TransportKind() {}

    /**
     * The slowest kind of those that connect two ranks, at whose pace a ring runs: NET/Socket,
     * NET/IB and other networks, SHM, P2P; null when none is known.
     */
    public static String slowest(Collection<String> vias) {
        for (String kind : SLOWEST_FIRST) {
            for (String via : vias) {
                if (via.startsWith(kind)) {
                    return kind.equals("NET/")
                            ? network(via)
                            : kind.startsWith("direct") ? "SHM" : kind;
                }
            }
        }
        return null;
    }

    /** NET/IB of NET/IB/0/GDRDMA. */
    private static String network(String via) {
        int end = via.indexOf('/', 4);
        return end < 0 ? via : via.substring(0, end);
    }
}
