package io.gpuflow.trace;

/**
 * One operation that a rank issued, as its Flight Recorder kept it.
 *
 * @param group index of its group in the {@link RankDump}
 * @param sequence number in its group: of collectives, or of point-to-point operations
 * @param operation all_reduce, _all_gather_base, send … without the backend
 * @param peer for point-to-point, the rank in the group at the other end, else −1
 * @param elements input elements, summed over the tensors; −1 when they were not recorded
 * @param types element types of the inputs, "Float"
 * @param completed whether the watchdog saw it complete
 * @param created epoch, ns; 0 when not recorded
 * @param where source line of the user's code, {@code train.py:49 in step}, or null
 */
record Call(
        int group,
        long sequence,
        String operation,
        int peer,
        long elements,
        String types,
        boolean completed,
        long record,
        long created,
        String where) {

    boolean pointToPoint() {
        return peer >= 0;
    }

    boolean sends() {
        return operation.equals("send");
    }
}
