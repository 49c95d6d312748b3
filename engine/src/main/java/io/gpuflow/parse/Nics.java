package io.gpuflow.parse;

import java.util.Locale;

/** One word for the state of an RDMA port, whichever tool says it. */
public final class Nics {
    private Nics() {}

    /** "Active", "PORT_ACTIVE (4)" or "4: ACTIVE" to ACTIVE; likewise DOWN, INIT and ARMED. */
    public static String state(String text) {
        if (text == null) {
            return null;
        }
        String word = text.toUpperCase(Locale.ROOT);
        if (word.contains("ACTIVE_DEFER")) {
            return "ACTIVE_DEFER";
        }
        for (String known : new String[] {"ACTIVE", "DOWN", "INIT", "ARMED"}) {
            if (word.contains(known)) {
                return known;
            }
        }
        return word.trim();
    }
}
