package io.gpuflow.advise;

/** Predicts the memory of the GPU that needs most in a training step. */
public interface MemoryModel {
    /**
     * The peak of a step once optimizer states exist, without the lines of an explanation.
     *
     * @param available bytes of one GPU; null for no limit
     * @return null when the step does not fit into what is available
     */
    PeakMemory predict(ModelShape model, Workload workload, Layout layout, Long available);

    /** The peak of a step, however much memory that takes, with its arithmetic. */
    PeakMemory explain(ModelShape model, Workload workload, Layout layout);
}
