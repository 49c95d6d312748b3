package io.gpuflow.advise;

/**
 * What one GPU (or one group of GPUs that share a sequence) computes in a micro-step, and how.
 *
 * @param microBatch sequences in one forward pass
 * @param seq tokens in a sequence
 * @param globalBatch sequences in an optimizer step over all GPUs; null when it follows from the
 *     layout
 * @param recompute activations are computed again in the backward pass, a layer at a time
 */
public record Workload(
        int microBatch,
        int seq,
        Integer globalBatch,
        Precision precision,
        Optimizer optimizer,
        boolean recompute,
        Attention attention) {

    /** Tokens of one forward pass. */
    public long tokens() {
        return (long) microBatch * seq;
    }

    public Workload withMicroBatch(int batch) {
        return new Workload(batch, seq, globalBatch, precision, optimizer, recompute, attention);
    }

    public Workload withRecompute(boolean again) {
        return new Workload(microBatch, seq, globalBatch, precision, optimizer, again, attention);
    }
}
