package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** One run of a collective benchmark as it is being read; null is what was not printed. */
final class BenchTable {
    /**
     * One message size.
     *
     * @param op reduction, or null
     * @param outOfPlace null when not run
     */
    record Row(
            long bytes,
            Long count,
            String type,
            String op,
            Long root,
            Cells outOfPlace,
            Cells inPlace,
            int line) {}

    /** One measurement: µs, GB/s, and wrong elements or null when not checked. */
    record Cells(Double timeUs, Double algbw, Double busbw, Long wrong) {}

    String tool = "nccl-tests";
    String test;
    String testsVersion;
    String ncclHeaders;
    String ncclLibrary;
    String ncclVersion;
    Long threads;
    Long gpusPerThread;
    Boolean validation;
    List<String> columns = List.of();
    final List<Row> rows = new ArrayList<>();
    final TreeMap<Long, String> devices = new TreeMap<>();
    final Set<String> hosts = new LinkedHashSet<>();
    boolean devicesElided;
    Long outOfBounds;
    String outOfBoundsStatus;
    Double average;
    String averageStatus;
    int averageLine;
    boolean completed;
    Integer ranksTold;
    final List<String> failures = new ArrayList<>();

    boolean isEmpty() {
        return rows.isEmpty()
                && !completed
                && devices.isEmpty()
                && columns.isEmpty()
                && test == null;
    }

    /** Number of ranks, or null when neither the devices nor the settings tell. */
    Integer ranks() {
        if (ranksTold != null) {
            return ranksTold;
        }
        long settings = threads == null || gpusPerThread == null ? 0 : threads * gpusPerThread;
        long listed = devices.isEmpty() ? 0 : devices.lastKey() + 1;
        if (devicesElided && settings <= listed) {
            return settings > 1 && settings == listed ? Integer.valueOf((int) listed) : null;
        }
        long ranks = Math.max(listed, listed == 0 && settings == 1 ? 0 : settings);
        return ranks > 0 && ranks < 1 << 24 ? Integer.valueOf((int) ranks) : null;
    }

    /** Sum of the wrong elements, or null when nothing was checked. */
    Long wrong() {
        Long sum = null;
        for (Row row : rows) {
            for (Cells cells : new Cells[] {row.outOfPlace(), row.inPlace()}) {
                if (cells != null && cells.wrong() != null) {
                    sum = (sum == null ? 0 : sum) + cells.wrong();
                }
            }
        }
        return sum;
    }

    /** The largest bus bandwidth of any row, or null. */
    Double maxBusbw(boolean inPlace) {
        Double max = null;
        for (Row row : rows) {
            Cells cells = inPlace ? row.inPlace() : row.outOfPlace();
            if (cells != null && cells.busbw() != null && (max == null || cells.busbw() > max)) {
                max = cells.busbw();
            }
        }
        return max;
    }

    /** The row of the largest message, or null. */
    Row largest() {
        Row largest = null;
        for (Row row : rows) {
            largest = largest == null || row.bytes() > largest.bytes() ? row : largest;
        }
        return largest;
    }

    /**
     * True when all that was checked is right and no limit was missed; null when it did not end.
     */
    Boolean passed() {
        if (!completed) {
            return failures.isEmpty() ? null : Boolean.FALSE;
        }
        Long wrong = wrong();
        return !"FAILED".equals(outOfBoundsStatus)
                && !"FAILED".equals(averageStatus)
                && (wrong == null || wrong == 0);
    }
}
