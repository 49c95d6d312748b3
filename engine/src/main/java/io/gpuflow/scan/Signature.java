package io.gpuflow.scan;

import java.util.List;

/**
 * How software words one observation. Data: written in {@code rules/signatures/*.yaml}.
 *
 * @param generic counts only in a line that no other signature but one of kind CONTEXT recognises
 * @param startup means nothing once work has begun
 * @param means what a line of it tells, for reports
 */
public record Signature(
        String id,
        Kind kind,
        boolean generic,
        boolean startup,
        String means,
        List<Wording> wordings) {

    /** What an observation can be to a failure. */
    public enum Kind {
        /** Can be a cause. */
        FAULT,
        /** Follows from the end of another rank, process or step. */
        VICTIM,
        /** Somebody waited too long for somebody. */
        TIMEOUT,
        /** Passes on an error that is told elsewhere. */
        WRAPPER,
        /** Somebody ended the job from outside. */
        END,
        /** A setting, version or state; no failure. */
        CONTEXT
    }

    /**
     * One way to say it.
     *
     * @param text what the line must hold, byte for byte; the automaton looks for it
     * @param match regular expression that the line, without its prefix, must contain; its named
     *     groups are captured; null when the text alone is enough
     * @param unless texts that must not be in the line
     * @param since software and version that brought this wording, or empty
     * @param until version that dropped it, or empty
     * @param source where the wording was read
     * @param every the pattern is looked for at every place of the line, not at the first alone
     */
    public record Wording(
            String text,
            String match,
            List<String> unless,
            String since,
            String until,
            String source,
            boolean every) {}
}
