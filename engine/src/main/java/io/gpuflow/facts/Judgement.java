package io.gpuflow.facts;

import java.util.List;

/**
 * What the rules make of the facts.
 *
 * @param verdicts findings, roots first, worst first; the order is deterministic
 * @param advice experiments that rules ask for
 * @param untold rules that could not be told, and why
 * @param notes about the policy itself: expired or idle exceptions
 * @param site what the site's policy had to do with it
 */
public record Judgement(
        List<Verdict> verdicts,
        List<Advice> advice,
        List<Untold> untold,
        List<String> notes,
        Site site) {

    public Judgement {
        // Runs that were stored by a version without site policy have none.
        site = site == null ? Site.NONE : site;
    }

    /** A judgement by the shipped rules alone. */
    public Judgement(
            List<Verdict> verdicts, List<Advice> advice, List<Untold> untold, List<String> notes) {
        this(verdicts, advice, untold, notes, Site.NONE);
    }

    /**
     * A rule that could not be told because facts it rests on were asked for and are unknown. A
     * fact that nothing asked for makes no rule untold.
     *
     * @param missing the unknowns, each with its reason; never empty
     */
    public record Untold(String rule, String area, List<Unknown> missing) {}

    /**
     * What the site's policy had to do with a judgement.
     *
     * @param files of the policy in force
     * @param broken own rules that could not be used; they are among the untold, too
     * @param suppressed findings that exceptions keep from being told
     * @param vetoes what own rules forbid on this machine
     * @param vetoed advice that was left out because of that
     */
    public record Site(
            List<PolicyFile> files,
            List<Broken> broken,
            List<Suppressed> suppressed,
            List<Forbidden> vetoes,
            List<Vetoed> vetoed) {
        public static final Site NONE =
                new Site(List.of(), List.of(), List.of(), List.of(), List.of());

        public Site {
            files = files == null ? List.of() : files;
            broken = broken == null ? List.of() : broken;
            suppressed = suppressed == null ? List.of() : suppressed;
            vetoes = vetoes == null ? List.of() : vetoes;
            vetoed = vetoed == null ? List.of() : vetoed;
        }
    }

    /**
     * A file that had a say.
     *
     * @param sha256 of its content, in hexadecimal
     */
    public record PolicyFile(String path, String sha256) {}

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
     * Something that must not be done here.
     *
     * @param what an experiment, VARIABLE, VARIABLE=VALUE or topic=position
     * @param by own rule that forbids it
     * @param because in that rule's words
     */
    public record Forbidden(String what, String by, String because) {}

    /**
     * Advice that was left out.
     *
     * @param what the experiment, the variable with its value, or the claim
     * @param advisedBy rule that advises it
     * @param by own rule that forbids it
     * @param because in that rule's words
     */
    public record Vetoed(String what, String advisedBy, String by, String because) {}
}
