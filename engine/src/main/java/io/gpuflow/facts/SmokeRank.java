package io.gpuflow.facts;

/**
 * What one rank of the smoke test did.
 *
 * @param device index among the visible GPUs; null on the CPU
 * @param busId PCI address of its GPU, lower case with a four-digit domain, or the UUID of its MIG
 *     device
 * @param stage furthest stage it reached, as in SmokeRun
 * @param seconds until it was ready (stage start): importing PyTorch and opening its device, the
 *     part in which no rank waits for another
 * @param sumRight the sum of all ranks and a large patterned buffer came out right
 * @param error last line of its exception, or what was wrong; null when nothing was
 * @param exit its exit status, negative for a signal; null when not known
 * @param processState letter of /proc/PID/stat just before it was ended (T stopped, R running, S
 *     sleeping, D in the driver, Z or "gone"); null when it ended by itself
 * @param where innermost Python line of its main thread just before it was ended
 */
public record SmokeRank(
        int rank,
        Integer localRank,
        Integer device,
        String busId,
        String stage,
        Boolean sumRight,
        Integer sum,
        Double seconds,
        String error,
        Integer exit,
        String processState,
        String where)
        implements Fact {}
