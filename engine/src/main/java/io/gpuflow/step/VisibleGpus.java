package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Visibility;
import java.util.List;
import java.util.stream.IntStream;

/** Which physical GPUs a job that is started here may use, by local rank. */
final class VisibleGpus {
    private VisibleGpus() {}

    /** Physical indexes in the order of local ranks; null when it can't be told. */
    static List<Integer> of(KnownFacts facts) {
        List<Visibility> restrictions = facts.all(Visibility.class);
        if (!restrictions.isEmpty()) {
            // Several variables compound (HIP_VISIBLE_DEVICES on top of ROCR_VISIBLE_DEVICES): only
            // the
            // probe knows how, and a null from it must not become "all".
            return restrictions.size() == 1 ? restrictions.get(0).physical() : null;
        }
        List<Gpu> gpus = facts.all(Gpu.class);
        if (!gpus.isEmpty()) {
            return gpus.stream().map(Gpu::index).distinct().sorted().toList();
        }
        Topology topology = facts.last(Topology.class);
        return topology == null ? null : IntStream.range(0, topology.gpuCount()).boxed().toList();
    }
}
