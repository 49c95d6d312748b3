package io.gpuflow.facts;

import java.util.List;

/**
 * Ranks that hold the others up, as the wait-for graph over all process groups tells.
 *
 * @param kind absent (others wait for them, they wait in nothing: they are outside any collective),
 *     device (they issued what their peers completed, their own device did not), ring (they wait
 *     for each other in collectives of different groups), p2p-ring (likewise, with sends or
 *     receives), silent (others wait, and these left no dump or answer), or together (all issued
 *     the same calls and none completed)
 * @param ranks global ranks, sorted
 * @param group description of the process group in which it shows, or null
 * @param sequence number of the collective there, or null
 * @param operation all_reduce, send …, or null
 * @param where source line of the ranks' last call, or null
 * @param waiting how many ranks wait for them
 * @param source dump or ras
 */
public record Stall(
        String kind,
        List<Integer> ranks,
        String group,
        Long sequence,
        String operation,
        String where,
        int waiting,
        String source)
        implements Fact {

    /** The call in words: all_reduce 9 of default_pg. */
    public String call() {
        return operation + " " + sequence + " of " + group;
    }

    /** Where it was called, as a sentence, or nothing. */
    public String place() {
        return where == null ? "" : "Last call at " + where + ".";
    }
}
