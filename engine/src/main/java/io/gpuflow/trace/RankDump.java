package io.gpuflow.trace;

import java.util.List;

/**
 * What one rank's Flight Recorder held.
 *
 * @param rank global rank, from the file's name
 * @param file the file's name as given
 * @param groups the process groups that the rank is in
 * @param calls in the order they were issued; a ring buffer, so older ones may be gone
 */
record RankDump(int rank, String file, String version, List<Group> groups, List<Call> calls) {
    /**
     * A process group as this rank sees it.
     *
     * @param name group name, unique together with the members
     * @param kind its description: default_pg, mesh_tp …
     * @param members global ranks, ascending by rank in the group; empty when not recorded
     * @param enqueued number of the last collective issued; −1 when not recorded
     * @param completed likewise, completed
     */
    record Group(String name, String kind, List<Integer> members, long enqueued, long completed) {
        /** What tells this group from others in all dumps. */
        Key key() {
            return new Key(name, members);
        }
    }

    /** Groups of one name may differ in their members. */
    record Key(String name, List<Integer> members) {}

    boolean idle() {
        return calls.stream().allMatch(Call::completed);
    }
}
