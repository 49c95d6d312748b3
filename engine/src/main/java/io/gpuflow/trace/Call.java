package io.gpuflow.trace;

/**
 * One operation that a rank issued, as its Flight Recorder kept it.
 *
 * @param group index of its group in the {@link RankDump}
 * @param sequence number in its group: of collectives, or of point-to-point operations
 * @param what equal operations of all dumps are one object
 * @param completed whether the watchdog saw it complete
 * @param where source line of the user's code, {@code train.py:49 in step}, or null
 */
record Call(int group, long sequence, Operation what, boolean completed, String where) {
    /**
     * What was to be done.
     *
     * @param name all_reduce, _all_gather_base, send … without the backend
     * @param peer for point-to-point, the rank in the group at the other end, else −1
     * @param elements input elements, summed over the tensors; −1 when they were not recorded
     * @param types element types of the inputs, "Float"
     */
    record Operation(String name, int peer, long elements, String types) {
        /** Asked for each entry of each dump; the one made for records costs many times as much. */
        @Override
        public int hashCode() {
            return (name.hashCode() * 31 + types.hashCode()) * 31 + Long.hashCode(elements) + peer;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Operation o
                    && elements == o.elements
                    && peer == o.peer
                    && name.equals(o.name)
                    && types.equals(o.types);
        }
    }

    String operation() {
        return what.name;
    }

    int peer() {
        return what.peer;
    }

    long elements() {
        return what.elements;
    }

    String types() {
        return what.types;
    }

    boolean pointToPoint() {
        return what.peer >= 0;
    }

    boolean sends() {
        return what.name.equals("send");
    }
}
