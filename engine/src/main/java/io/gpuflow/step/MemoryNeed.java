package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Whether a model's training states fit, by the simplest arithmetic that is honest: 16 bytes a
 * parameter, of a GPU's memory what remains for them. Activations come on top and are not counted.
 *
 * @param usable bytes of one GPU for states, the smallest GPU counting; null when not known
 * @param parameters of the model; null when none was described
 */
record MemoryNeed(Double usable, Long parameters) {
    /** fp32 weights 4, gradients 4, two Adam moments 8, computing in bf16 by autocast. */
    static final double BYTES_PER_PARAMETER = 16;

    /** The caching allocator needs room to move in. */
    private static final double SHARE = 0.90;

    /** CUDA context with kernels up to 2 GiB, NCCL's buffers up to 2 GiB. */
    private static final double OVERHEAD = 4.0 * (1L << 30);

    static MemoryNeed of(KnownFacts facts, List<Integer> gpus, Long parameters) {
        List<Gpu> chosen =
                facts.all(Gpu.class).stream().filter(g -> gpus.contains(g.index())).toList();
        boolean all =
                !chosen.isEmpty()
                        && chosen.stream().map(Gpu::memoryBytes).allMatch(Objects::nonNull);
        if (!all) {
            return new MemoryNeed(null, parameters);
        }
        double least = chosen.stream().mapToDouble(Gpu::memoryBytes).min().orElseThrow();
        return new MemoryNeed(Math.max(0, SHARE * least - OVERHEAD), parameters);
    }

    /**
     * Whether the states fit when each GPU holds this many bytes per parameter; null: not known.
     */
    Boolean fits(double bytesPerParameter) {
        return usable == null || parameters == null
                ? null
                : parameters * bytesPerParameter <= usable;
    }

    /** The limit in words, or the verdict for the described model. */
    String words(double bytesPerParameter) {
        String each = String.format(Locale.ROOT, "%.3g bytes each on every GPU", bytesPerParameter);
        if (usable == null) {
            return "how many parameters is not known (" + each + "): the GPUs' memory is not";
        }
        String limit = billions(usable / bytesPerParameter);
        String room = String.format(Locale.ROOT, "%.1f GiB", usable / (1L << 30));
        if (parameters == null) {
            return "up to " + limit + " parameters (" + each + ", in " + room + ")";
        }
        boolean fits = Boolean.TRUE.equals(fits(bytesPerParameter));
        String verdict = billions(parameters) + " parameters " + (fits ? "fit" : "do not fit");
        return verdict + " (" + each + ", room for " + limit + " in " + room + ")";
    }

    static String billions(double parameters) {
        return parameters >= 1e9
                ? String.format(Locale.ROOT, "%.1f billion", parameters / 1e9)
                : String.format(Locale.ROOT, "%.0f million", parameters / 1e6);
    }
}
