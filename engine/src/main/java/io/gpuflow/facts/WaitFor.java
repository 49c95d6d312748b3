package io.gpuflow.facts;

/**
 * The result of the wait-for graph for one rank.
 *
 * @param role culprit (others wait for it, it waits for nobody), cycle (part of a ring of ranks
 *     that wait for each other), victim (waits), or unknown
 * @param onRank a rank it waits for, or null
 * @param why in words: "has not issued all_reduce 9 of default_pg"
 */
public record WaitFor(
        int rank, String role, Integer onRank, String group, Long sequence, String why)
        implements Fact {}
