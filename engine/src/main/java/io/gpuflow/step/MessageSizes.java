package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Message sizes of a benchmark, as nccl-tests writes them: 8, 512K, 2G.
 *
 * @param from bytes
 * @param to bytes, no more than the GPUs' free memory allows
 */
record MessageSizes(long from, long to) {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([KMGT]?)B?");

    /** nccl-tests with validation holds input, output and expectation; some for the library. */
    private static final double BUFFERS = 3.5;

    private static final double SHARE_OF_FREE = 0.9;

    /** A size is not one. */
    static final class NotASize extends Exception {
        private static final long serialVersionUID = 1L;

        NotASize(String text) {
            super("\"" + text + "\" is not a message size; write 8, 512K, 8M or 2G");
        }
    }

    static MessageSizes of(String from, String to, KnownFacts facts) throws NotASize {
        long smallest = bytes(from);
        long largest = bytes(to);
        Long room = room(facts);
        if (room != null && room < largest) {
            largest = Math.max(smallest, Long.highestOneBit(Math.max(1, room)));
        }
        if (largest < smallest) {
            throw new NotASize(from + " to " + to);
        }
        return new MessageSizes(smallest, largest);
    }

    /** Bytes of the largest message that every GPU has room for; null when not known. */
    private static Long room(KnownFacts facts) {
        List<Gpu> gpus = facts.all(Gpu.class);
        if (gpus.isEmpty() || gpus.stream().map(Gpu::memoryBytes).anyMatch(Objects::isNull)) {
            return null;
        }
        double least = Double.MAX_VALUE;
        for (Gpu gpu : gpus) {
            long used =
                    facts.all(GpuHealth.class).stream()
                            .filter(h -> h.gpu() == gpu.index() && h.memoryUsedBytes() != null)
                            .mapToLong(GpuHealth::memoryUsedBytes)
                            .findFirst()
                            .orElse(0);
            least = Math.min(least, (double) gpu.memoryBytes() - used);
        }
        return (long) (Math.max(0, least) * SHARE_OF_FREE / BUFFERS);
    }

    static long bytes(String text) throws NotASize {
        Matcher m = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!m.matches()) {
            throw new NotASize(text);
        }
        int shift = m.group(2).isEmpty() ? 0 : 10 * (1 + "KMGT".indexOf(m.group(2)));
        long count = Long.parseLong(m.group(1));
        if (count < 1 || count > Long.MAX_VALUE >> shift) {
            throw new NotASize(text);
        }
        return count << shift;
    }

    /** 2G, 512K, 8: the shortest exact form. */
    static String words(long bytes) {
        int unit = 0;
        long count = bytes;
        while (unit < 4 && count % 1024 == 0) {
            count /= 1024;
            unit++;
        }
        return count + (unit == 0 ? "" : "KMGT".substring(unit - 1, unit));
    }
}
