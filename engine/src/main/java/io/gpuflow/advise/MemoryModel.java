package io.gpuflow.advise;

/** Predicts the memory of the GPU that needs most in a training step. */
public interface MemoryModel {
    /** The peak of a step, once optimizer states exist. */
    PeakMemory predict(ModelShape model, Workload workload, Layout layout);
}
