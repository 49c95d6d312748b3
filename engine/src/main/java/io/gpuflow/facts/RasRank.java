package io.gpuflow.facts;

/**
 * A rank that NCCL's RAS service tells apart from the others of its communicator.
 *
 * @param comm hash of the communicator
 * @param rank rank in the communicator
 * @param pid its process, or null
 * @param state missing (its process did not answer: stopped, blocked, ended or crashed), dead
 *     (unreachable for a minute), behind or ahead (has launched fewer or more collectives than the
 *     others, in every operation that differs), differs (both), or error
 * @param launched number of the last operation it launched, for behind and ahead, or null
 * @param others that of the others, or null
 * @param detail operation or error text, or null
 * @param frozen two answers some seconds apart tell the same; null when there is one answer
 */
public record RasRank(
        String comm,
        int rank,
        Integer pid,
        String node,
        String state,
        Long launched,
        Long others,
        String detail,
        Boolean frozen)
        implements Fact {}
