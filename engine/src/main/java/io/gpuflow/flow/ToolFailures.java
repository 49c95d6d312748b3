package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ToolFailure;
import java.util.List;

/** Reads from an attempt's facts how its tool failed. */
final class ToolFailures {
    static final String TIMEOUT = "timeout";

    private ToolFailures() {}

    /**
     * The last failure as {@code retry: for:} names it: timeout, "exit 75" (128 + number for a
     * signal), missing, unreadable; null when no tool failed.
     */
    static String kind(List<Observed> facts) {
        String kind = null;
        for (Observed observed : facts) {
            if (observed.fact() instanceof ToolFailure failure) {
                kind = kind(failure);
            }
        }
        return kind;
    }

    private static String kind(ToolFailure failure) {
        boolean exited = failure.kind().equals("exit") || failure.kind().equals("signal");
        return exited && failure.exit() != null ? "exit " + failure.exit() : failure.kind();
    }

    /** True when the tool ran and did not do its work, as opposed to not having run at all. */
    static boolean ranAndFailed(List<Observed> facts) {
        String kind = kind(facts);
        return kind != null && (kind.equals(TIMEOUT) || kind.startsWith("exit"));
    }
}
