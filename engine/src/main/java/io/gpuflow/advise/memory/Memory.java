package io.gpuflow.advise.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what is allocated, by part, and notes the moment when it is most. */
final class Memory {
    private final CachingAllocator allocator;
    private final long[] parts = new long[Part.values().length];
    private final Set<Storage> live = new LinkedHashSet<>();
    private final long momentToKeep;
    private long[] peakParts = parts.clone();
    private long peak;
    private long peakMoment;
    private String peakPhase = "";
    private long moment;
    private String phase = "";
    private List<Storage> kept = List.of();
    private final Map<String, Long> phasePeaks = new LinkedHashMap<>();

    /**
     * @param momentToKeep the allocation, counted from 1, at which to note everything that exists;
     *     0 for none
     */
    Memory(CachingAllocator allocator, long momentToKeep) {
        this.allocator = allocator;
        this.momentToKeep = momentToKeep;
    }

    /** A phase of a step begins; a phase of the same name in an earlier step is forgotten. */
    void phase(String name) {
        phase = name;
        phasePeaks.put(name, allocator.allocated());
    }

    /** The most that was allocated in each phase of the last step, in order. */
    Map<String, Long> phasePeaks() {
        return phasePeaks;
    }

    Storage allocate(String label, Part part, long rows, long columns, int width) {
        return allocate(label, part, rows, columns, width, CachingAllocator.COMPUTE);
    }

    Storage allocate(String label, Part part, long rows, long columns, int width, int stream) {
        Storage made = new Storage(this, label, part, rows, columns, width);
        if (made.bytes() <= 0) {
            return made;
        }
        made.placed(allocator.allocate(made.bytes(), stream));
        parts[part.ordinal()] += made.bytes();
        moment++;
        if (momentToKeep > 0) {
            live.add(made);
            if (moment == momentToKeep) {
                kept = new ArrayList<>(live);
            }
        }
        phasePeaks.merge(phase, allocator.allocated(), Math::max);
        if (allocator.allocated() > peak) {
            peak = allocator.allocated();
            System.arraycopy(parts, 0, peakParts, 0, parts.length);
            peakMoment = moment;
            peakPhase = phase;
        }
        return made;
    }

    void freed(Storage storage, CachingAllocator.Block block) {
        allocator.free(block);
        parts[storage.part.ordinal()] -= storage.bytes();
        if (momentToKeep > 0) {
            live.remove(storage);
        }
    }

    void moved(Storage storage, Part to) {
        parts[storage.part.ordinal()] -= storage.bytes();
        parts[to.ordinal()] += storage.bytes();
    }

    long peak() {
        return peak;
    }

    long peakMoment() {
        return peakMoment;
    }

    String peakPhase() {
        return peakPhase;
    }

    long atPeak(Part... wanted) {
        return Arrays.stream(wanted).mapToLong(p -> peakParts[p.ordinal()]).sum();
    }

    /** Bytes of a part that exist now. */
    long now(Part part) {
        return parts[part.ordinal()];
    }

    /** What existed at the moment that was to be kept. */
    List<Storage> kept() {
        return kept;
    }

    CachingAllocator allocator() {
        return allocator;
    }
}
