package io.gpuflow.rules.folder;

import io.gpuflow.facts.Observed;
import io.gpuflow.yaml.Position;
import java.util.List;

/**
 * A case of cases.yaml: some facts, and what the rule must make of them.
 *
 * @param name what the case shows
 * @param at file:line:col of the case
 * @param given facts that it states
 * @param samples files below engine/samples, or recordings, whose facts it adds
 * @param expect what must come of it
 */
public record RuleCase(
        String name, String at, List<Observed> given, List<String> samples, Expectation expect) {

    /** Where it stands. */
    public Position place() {
        int column = at.lastIndexOf(':');
        int line = at.lastIndexOf(':', column - 1);
        return new Position(
                at.substring(0, line),
                Integer.parseInt(at.substring(line + 1, column)),
                Integer.parseInt(at.substring(column + 1)));
    }

    /** FIRES, QUIET or UNKNOWN. */
    public enum Outcome {
        FIRES,
        QUIET,
        UNKNOWN
    }

    /**
     * A partial match: what is null or empty is not looked at.
     *
     * @param says a part of the line, or null
     * @param why a part of the reason, or null
     * @param advises experiments that must be asked for
     * @param ranks exactly these ranks, or null
     * @param count how many verdicts of the rule, or null for any
     */
    public record Expectation(
            Outcome outcome,
            List<String> says,
            String why,
            List<String> advises,
            List<Integer> ranks,
            Integer count) {
        static Expectation of(Outcome outcome) {
            return new Expectation(outcome, List.of(), null, List.of(), null, null);
        }
    }
}
