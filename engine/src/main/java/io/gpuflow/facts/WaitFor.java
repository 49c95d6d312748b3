package io.gpuflow.facts;

/**
 * The result of the wait-for graph for one rank.
 *
 * @param role absent, device, ring or p2p-ring as in {@link Stall}, victim (waits for another), or
 *     unknown (waits in something that all have issued)
 * @param onRank a rank it waits for, or null
 * @param why in words: "has not issued all_reduce 9 of default_pg"
 */
public record WaitFor(
        int rank, String role, Integer onRank, String group, Long sequence, String why)
        implements Fact {}
