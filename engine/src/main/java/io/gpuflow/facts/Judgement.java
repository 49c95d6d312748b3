package io.gpuflow.facts;

import java.util.List;

/**
 * What the rules make of the facts.
 *
 * @param verdicts findings, roots first, worst first; the order is deterministic
 * @param advice experiments that rules ask for
 * @param untold rules that could not be told, and why
 * @param notes about the policy itself: expired exceptions, broken site rules
 */
public record Judgement(
        List<Verdict> verdicts, List<Advice> advice, List<Untold> untold, List<String> notes) {

    /**
     * A rule that could not be told because facts it rests on were asked for and are unknown. A
     * fact that nothing asked for makes no rule untold.
     *
     * @param missing the unknowns, each with its reason; never empty
     */
    public record Untold(String rule, String area, List<Unknown> missing) {}
}
