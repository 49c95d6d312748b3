package io.gpuflow.cli;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Visibility;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The GPUs of a machine that a job may use.
 *
 * @param count null when not known
 * @param memory bytes of the smallest; null when not known
 * @param why what is not known, and why; null when both are
 */
record MachineGpus(Integer count, Long memory, String why) {
    static MachineGpus of(List<Observed> facts) {
        List<Gpu> gpus = all(facts, Gpu.class).toList();
        List<Visibility> limits = all(facts, Visibility.class).toList();
        List<Integer> usable = limits.size() == 1 ? limits.get(0).physical() : null;
        if (limits.size() > 1 || limits.size() == 1 && usable == null) {
            return new MachineGpus(null, null, "which GPUs a job may use is not known");
        }
        List<Gpu> used =
                gpus.stream().filter(g -> usable == null || usable.contains(g.index())).toList();
        if (used.isEmpty()) {
            String why =
                    all(facts, Unknown.class)
                            .filter(u -> u.what().equals("Gpu"))
                            .map(Unknown::why)
                            .findFirst()
                            .orElse("there is no GPU that a job may use");
            return new MachineGpus(null, null, why);
        }
        boolean known = used.stream().map(Gpu::memoryBytes).allMatch(Objects::nonNull);
        Long least = known ? used.stream().map(Gpu::memoryBytes).min(Long::compare).get() : null;
        return new MachineGpus(used.size(), least, known ? null : "the GPUs' memory is not known");
    }

    private static <T> Stream<T> all(List<Observed> facts, Class<T> type) {
        return facts.stream().map(Observed::fact).filter(type::isInstance).map(type::cast);
    }
}
