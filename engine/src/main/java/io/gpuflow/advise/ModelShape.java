package io.gpuflow.advise;

import java.util.List;

/**
 * A decoder as far as its memory and its arithmetic depend on it.
 *
 * @param family transformers' model_type: llama, qwen2, gpt2 …; "plain" when described by sizes
 *     alone, "parameters" when only their number is known
 * @param hidden width of the residual stream
 * @param heads query heads of a layer
 * @param kvHeads key and value heads, a divisor of {@code heads}
 * @param headDim width of one head; {@code heads · headDim} need not be {@code hidden}
 * @param ffn inner width of the dense feed-forward
 * @param gated the feed-forward multiplies two projections (three matrices instead of two)
 * @param tied the output layer uses the embedding's matrix
 * @param block how a layer of the family computes, where families differ
 * @param experts null for a dense model
 * @param latent null unless keys and values are projected from a small common tensor
 * @param assumed what the description did not say and what was taken instead, a text each
 */
public record ModelShape(
        String family,
        int hidden,
        int layers,
        int heads,
        int kvHeads,
        int headDim,
        int ffn,
        int vocab,
        boolean gated,
        boolean tied,
        Block block,
        Experts experts,
        Latent latent,
        List<String> assumed) {

    /** The normalisation before attention and feed-forward. */
    public enum Norm {
        /** RMSNorm in Python, computed in fp32 whatever the precision. */
        RMS,
        /** RMSNorm that multiplies by one plus the weight, still in fp32 (Gemma). */
        RMS_PLUS_ONE,
        /** torch.nn.LayerNorm. */
        LAYER
    }

    /** The feed-forward's non-linearity. */
    public enum Activation {
        SILU,
        /** gelu_new: written out in Python, an intermediate result for every operation. */
        GELU_NEW,
        /** torch.nn.functional.gelu, exact or tanh: one operation. */
        GELU,
        RELU
    }

    /**
     * What families do differently inside a layer.
     *
     * @param qkvBias query, key and value projections have a bias
     * @param outBias the attention's output projection has one
     * @param mlpBias the feed-forward has biases
     * @param headBias the output layer has one
     * @param normBias the norms have one (LayerNorm)
     * @param qkNorm queries and keys are normalised, a head at a time
     * @param postNorms attention and feed-forward are normalised again afterwards
     * @param parallel attention and feed-forward read the same input and are added together
     * @param sharedNorm and read it through one norm instead of two
     * @param fusedQkv one matrix for query, key and value
     * @param fusedGateUp one matrix for gate and up
     * @param rotaryDim part of a head that is rotated; 0 when positions are learned
     * @param joinsRotary the rotated part of a head is joined with the rest of it (torch.cat), even
     *     when there is no rest
     * @param positions rows of a learned position embedding; 0 with rotary positions
     * @param window tokens that sliding-window layers see; null when every layer sees all
     * @param windowLayers how many layers have the window
     * @param embedDropout probability; likewise the next two
     * @param scoreSoftcap attention scores are capped by tanh
     * @param logitSoftcap logits are capped by tanh
     */
    public record Block(
            Norm norm,
            Activation activation,
            boolean qkvBias,
            boolean outBias,
            boolean mlpBias,
            boolean headBias,
            boolean normBias,
            boolean qkNorm,
            boolean postNorms,
            boolean parallel,
            boolean sharedNorm,
            boolean fusedQkv,
            boolean fusedGateUp,
            int rotaryDim,
            boolean joinsRotary,
            int positions,
            Integer window,
            int windowLayers,
            double embedDropout,
            double attentionDropout,
            double residualDropout,
            boolean scoreSoftcap,
            boolean logitSoftcap) {}

    /**
     * A mixture of experts.
     *
     * @param count routed experts of a layer
     * @param topK experts that a token goes to
     * @param ffn inner width of one routed expert
     * @param shared inner width of the expert that every token passes; 0 when there is none
     * @param sharedGate the shared expert has a gate of its own
     * @param denseLayers layers that have the dense feed-forward instead
     */
    public record Experts(
            int count, int topK, int ffn, int shared, boolean sharedGate, int denseLayers) {}

    /**
     * Multi-head latent attention (DeepSeek).
     *
     * @param queryRank of the queries' low-rank projection; 0 when there is none
     * @param keyRank of the common tensor of keys and values
     * @param rotary part of a head that is rotated, common to all heads for the keys
     * @param plain part of a head that is not
     * @param value width of a value head
     */
    public record Latent(int queryRank, int keyRank, int rotary, int plain, int value) {}

    /** Layers with experts. */
    public int expertLayers() {
        return experts == null ? 0 : layers - experts.denseLayers();
    }

    /** Width of all query heads together. */
    public int queryWidth() {
        return heads * headDim;
    }

    /** Width of all key heads together, which is that of the values. */
    public int keyWidth() {
        return kvHeads * headDim;
    }

    /** How many parameters there are, by part. */
    public ParameterCount parameters() {
        return ParameterCount.of(this);
    }
}
