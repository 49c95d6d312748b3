package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.RasRank;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer of NCCL's RAS service.
 *
 * @param version of NCCL
 * @param communicators a line of the table each, or one of the JSON's
 * @param ranks those told apart from the others
 * @param timeouts how often collecting from a process timed out
 */
public record RasReport(
        String version,
        List<Communicator> communicators,
        List<Rank> ranks,
        Integer timeouts,
        String error,
        List<String> unparsed)
        implements Report {

    /**
     * Communicators that look alike.
     *
     * @param comm hash; null in the text's table, which groups them
     * @param count how many
     * @param size ranks in each
     * @param status NOCOMM, INIT, RUNNING, FINALIZE, ABORT, or null
     * @param errors OK, or INCOMPLETE, ERROR, MISMATCH
     */
    public record Communicator(
            String comm, long count, long size, String status, List<String> errors) {}

    /** A rank, as in {@link RasRank}; line is where it is told. */
    public record Rank(
            String comm,
            int rank,
            Integer pid,
            String node,
            String state,
            Long launched,
            Long others,
            String detail,
            int line) {}

    @Override
    public List<Observed> facts(String sourceName) {
        List<Observed> facts = new ArrayList<>();
        for (Rank r : ranks) {
            RasRank fact =
                    new RasRank(
                            r.comm,
                            r.rank,
                            r.pid,
                            r.node,
                            r.state,
                            r.launched,
                            r.others,
                            r.detail,
                            null);
            String text =
                    "RAS: rank "
                            + r.rank
                            + " "
                            + r.state
                            + (r.detail == null ? "" : " " + r.detail);
            facts.add(new Observed(fact, new Source(sourceName, r.line, text)));
        }
        return facts;
    }
}
