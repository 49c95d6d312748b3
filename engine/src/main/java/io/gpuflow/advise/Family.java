package io.gpuflow.advise;

import io.gpuflow.advise.ModelShape.Activation;
import io.gpuflow.advise.ModelShape.Norm;
import java.util.Arrays;
import java.util.List;

/**
 * The architectures whose computation is known, by transformers' model_type, with the defaults of
 * their configuration classes (transformers/models/*&#47;configuration_*.py).
 *
 * @param kvHeads default; 0: as many as query heads
 * @param headDim default; 0: hidden / heads
 */
enum Family {
    LLAMA("llama", Norm.RMS, "silu", true, false, 0, 0),
    GRANITE("granite", Norm.RMS, "silu", true, false, 0, 0),
    MISTRAL("mistral", Norm.RMS, "silu", true, false, 8, 0),
    MIXTRAL("mixtral", Norm.RMS, "silu", true, false, 8, 0),
    QWEN2("qwen2", Norm.RMS, "silu", true, false, 32, 0),
    QWEN3("qwen3", Norm.RMS, "silu", true, false, 32, 128),
    QWEN2_MOE("qwen2_moe", Norm.RMS, "silu", true, false, 16, 0),
    QWEN3_MOE("qwen3_moe", Norm.RMS, "silu", true, false, 4, 0),
    GEMMA("gemma", Norm.RMS_PLUS_ONE, "gelu_pytorch_tanh", true, true, 16, 256),
    GEMMA2("gemma2", Norm.RMS_PLUS_ONE, "gelu_pytorch_tanh", true, true, 4, 256),
    GEMMA3("gemma3_text", Norm.RMS_PLUS_ONE, "gelu_pytorch_tanh", true, true, 4, 256),
    PHI("phi", Norm.LAYER, "gelu_new", false, false, 0, 0),
    PHI3("phi3", Norm.RMS, "silu", true, false, 0, 0),
    GPT2("gpt2", Norm.LAYER, "gelu_new", false, true, 0, 0),
    GPT_NEOX("gpt_neox", Norm.LAYER, "gelu", false, false, 0, 0),
    STARCODER2("starcoder2", Norm.LAYER, "gelu_pytorch_tanh", false, true, 2, 0),
    DEEPSEEK_V2("deepseek_v2", Norm.RMS, "silu", true, false, 0, 0),
    DEEPSEEK_V3("deepseek_v3", Norm.RMS, "silu", true, false, 0, 0);

    private final String type;
    private final Norm norm;
    private final String activation;
    private final boolean gated;
    private final boolean tied;
    private final int kvHeads;
    private final int headDim;

    Family(
            String type,
            Norm norm,
            String activation,
            boolean gated,
            boolean tied,
            int kvHeads,
            int headDim) {
        this.type = type;
        this.norm = norm;
        this.activation = activation;
        this.gated = gated;
        this.tied = tied;
        this.kvHeads = kvHeads;
        this.headDim = headDim;
    }

    /** Null when it is not known. */
    static Family of(String type) {
        return Arrays.stream(values()).filter(f -> f.type.equals(type)).findFirst().orElse(null);
    }

    static List<String> types() {
        return Arrays.stream(values()).map(f -> f.type).toList();
    }

    String type() {
        return type;
    }

    Norm norm() {
        return norm;
    }

    String activation() {
        return activation;
    }

    boolean gated() {
        return gated;
    }

    boolean tied() {
        return tied;
    }

    int kvHeads() {
        return kvHeads;
    }

    int headDim() {
        return headDim;
    }

    boolean latent() {
        return this == DEEPSEEK_V2 || this == DEEPSEEK_V3;
    }

    boolean gemma() {
        return this == GEMMA || this == GEMMA2 || this == GEMMA3;
    }

    boolean experts() {
        return this == MIXTRAL || this == QWEN2_MOE || this == QWEN3_MOE || latent();
    }

    /** The name of an activation in transformers' ACT2FN; null when it is not known. */
    static Activation activationOf(String name) {
        return switch (name) {
            case "silu", "swish" -> Activation.SILU;
            case "gelu", "gelu_pytorch_tanh" -> Activation.GELU;
            case "gelu_new", "gelu_fast" -> Activation.GELU_NEW;
            case "relu" -> Activation.RELU;
            default -> null;
        };
    }
}
