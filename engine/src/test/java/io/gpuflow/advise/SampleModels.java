package io.gpuflow.advise;

import io.gpuflow.advise.ModelShape.Activation;
import io.gpuflow.advise.ModelShape.Block;
import io.gpuflow.advise.ModelShape.Experts;
import io.gpuflow.advise.ModelShape.Norm;
import java.util.List;

/** Models for tests, by their published sizes. */
public final class SampleModels {
    private SampleModels() {}

    public static ModelShape llama(
            int hidden, int layers, int heads, int kvHeads, int ffn, int vocab, boolean tied) {
        return shape("llama", hidden, layers, heads, kvHeads, ffn, vocab, tied, null);
    }

    public static ModelShape llama8b() {
        return llama(4096, 32, 32, 8, 14336, 128256, false);
    }

    public static ModelShape tinyLlama() {
        return llama(2048, 22, 32, 4, 5632, 32000, false);
    }

    public static ModelShape mixtral() {
        Experts experts = new Experts(8, 2, 14336, 0, false, 0);
        return shape("mixtral", 4096, 32, 32, 8, 14336, 32000, false, experts);
    }

    private static ModelShape shape(
            String family,
            int hidden,
            int layers,
            int heads,
            int kvHeads,
            int ffn,
            int vocab,
            boolean tied,
            Experts experts) {
        int headDim = hidden / heads;
        Block block =
                new Block(
                        Norm.RMS,
                        Activation.SILU,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        headDim,
                        false,
                        0,
                        null,
                        0,
                        0,
                        0,
                        0,
                        false,
                        false);
        return new ModelShape(
                family, hidden, layers, heads, kvHeads, headDim, ffn, vocab, true, tied, block,
                experts, null, List.of());
    }

    public static Workload workload(
            int microBatch, int seq, Precision precision, boolean recompute) {
        return new Workload(
                microBatch, seq, null, precision, Optimizer.ADAMW, recompute, Attention.SDPA);
    }
}
