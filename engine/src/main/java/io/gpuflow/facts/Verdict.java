package io.gpuflow.facts;

import java.util.List;
import java.util.Map;

/**
 * A rule's conclusion in the words a person reads.
 *
 * @param id rule id
 * @param cause id of the vocabulary of causes, or null for advice that names none
 * @param level fail, warn or info
 * @param under id of the verdict that this one follows from, or null; it is shown beneath that one
 * @param confidence 0 to 1
 * @param says one line: what is so, with the values
 * @param why what it rests on and why it matters
 * @param evidence the facts' sources, best first
 * @param proof every fact and setting the rule matched, as text, for {@code explain}
 */
public record Verdict(
        String id,
        String area,
        String cause,
        Role role,
        Level level,
        String under,
        double confidence,
        List<Integer> ranks,
        List<String> hosts,
        String says,
        String why,
        List<Fix> fixes,
        List<Source> evidence,
        List<String> proof,
        Map<String, Object> values) {

    /** The same verdict with other remedies. */
    public Verdict with(List<Fix> others) {
        return new Verdict(
                id,
                area,
                cause,
                role,
                level,
                under,
                confidence,
                ranks,
                hosts,
                says,
                why,
                others,
                evidence,
                proof,
                values);
    }

    /** The same in another place among the findings. */
    public Verdict ranked(Role other, Level also, String head) {
        return new Verdict(
                id,
                area,
                cause,
                other,
                also,
                head,
                confidence,
                ranks,
                hosts,
                says,
                why,
                fixes,
                evidence,
                proof,
                values);
    }

    /** The same with other evidence. */
    public Verdict seenIn(List<Source> sources) {
        return new Verdict(
                id,
                area,
                cause,
                role,
                level,
                under,
                confidence,
                ranks,
                hosts,
                says,
                why,
                fixes,
                sources,
                proof,
                values);
    }

    /** What a finding is to the failure. */
    public enum Role {
        ROOT,
        CONTRIBUTING,
        CONSEQUENCE,
        INFO
    }

    /** Worst first. */
    public enum Level {
        FAIL,
        WARN,
        INFO
    }

    /**
     * Something to do.
     *
     * @param kind test, workaround or fix
     * @param who user or admin
     * @param env variables to set, for a test or workaround; a null value says to unset it
     * @param cost what it costs: "PCIe traffic through host memory, about a tenth of the bandwidth"
     */
    public record Fix(String kind, String who, String text, Map<String, String> env, String cost) {}
}
