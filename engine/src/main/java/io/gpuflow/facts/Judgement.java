package io.gpuflow.facts;

import java.util.List;

/**
 * What the rules make of the facts.
 *
 * @param verdicts findings, roots first, worst first; the order is deterministic
 * @param advice experiments that rules ask for
 * @param untold rules that could not be told, and why
 * @param notes about the policy itself: expired or idle exceptions
 * @param broken own rules of the site that could not be used; they are among the untold, too
 * @param suppressed findings that the site's exceptions keep from being told
 * @param vetoed advice that an own rule of the site forbids
 * @param policy the files of the site's policy that were in force
 */
public record Judgement(
        List<Verdict> verdicts,
        List<Advice> advice,
        List<Untold> untold,
        List<String> notes,
        List<Broken> broken,
        List<Suppressed> suppressed,
        List<Vetoed> vetoed,
        List<PolicyFile> policy) {

    public Judgement {
        // Runs that were stored by a version without site policy have none of these.
        broken = broken == null ? List.of() : broken;
        suppressed = suppressed == null ? List.of() : suppressed;
        vetoed = vetoed == null ? List.of() : vetoed;
        policy = policy == null ? List.of() : policy;
    }

    /** A judgement by the shipped rules alone. */
    public Judgement(
            List<Verdict> verdicts, List<Advice> advice, List<Untold> untold, List<String> notes) {
        this(verdicts, advice, untold, notes, null, null, null, null);
    }

    /**
     * A rule that could not be told because facts it rests on were asked for and are unknown. A
     * fact that nothing asked for makes no rule untold.
     *
     * @param missing the unknowns, each with its reason; never empty
     */
    public record Untold(String rule, String area, List<Unknown> missing) {}

    /**
     * An own rule of the site that does not compile, is refused or failed while judging.
     *
     * @param at its file, with line where that is known
     */
    public record Broken(String rule, String at, String why) {}

    /**
     * A finding that is not told.
     *
     * @param at the exception in site.yaml: file:line:column
     */
    public record Suppressed(String rule, String says, String because, String at) {}

    /**
     * Something that a rule advises and the site forbids.
     *
     * @param what the experiment, or the remedy in a word: NCCL_P2P_DISABLE=1
     * @param advisedBy rule that advises it
     * @param vetoedBy own rule that forbids it
     * @param because in that rule's words
     */
    public record Vetoed(String what, String advisedBy, String vetoedBy, String because) {}

    /**
     * A file that had a say.
     *
     * @param sha256 of its content, in hexadecimal
     */
    public record PolicyFile(String path, String sha256) {}
}
