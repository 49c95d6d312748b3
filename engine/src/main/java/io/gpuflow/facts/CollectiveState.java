package io.gpuflow.facts;

import java.util.List;

/**
 * One collective that did not complete on all members of its group, as dumps, RAS or watchdog lines
 * show it. Only the earliest of each group is told.
 *
 * @param group name of the process group or hash of the communicator
 * @param groupKind its description (default_pg, mesh_tp …), or null
 * @param sequence number of the collective in its group
 * @param operation all_reduce, broadcast … as PyTorch writes it, or null
 * @param members global ranks of the group, or null when not known
 * @param joined ranks that issued it
 * @param missing members that did not
 * @param completed ranks on whose device it completed
 * @param silent members without any dump or answer, of whom nothing is known
 * @param mismatch null when the calls agree; else operation, shape, dtype, order, left-out (the odd
 *     ranks' calls are the others' some calls later) or extra
 * @param odd ranks whose call differs from the majority's
 * @param expected what the majority called, and what the odd ones called
 * @param where source line of the joined ranks' call, or null
 */
public record CollectiveState(
        String group,
        String groupKind,
        long sequence,
        String operation,
        List<Integer> members,
        List<Integer> joined,
        List<Integer> missing,
        List<Integer> completed,
        List<Integer> silent,
        String mismatch,
        List<Integer> odd,
        String expected,
        String found,
        String where,
        String source)
        implements Fact {

    /** The call in words: all_reduce 9 of default_pg. */
    public String call() {
        return operation + " " + sequence + " of " + group;
    }

    /** Where it was called, as a sentence, or nothing. */
    public String place() {
        return where == null ? "" : "Called at " + where + ".";
    }
}
