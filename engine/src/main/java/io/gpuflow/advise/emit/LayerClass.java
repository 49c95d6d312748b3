package io.gpuflow.advise.emit;

import java.util.Map;

/** The class of a decoder layer in transformers, which FSDP divides one by one. */
final class LayerClass {
    /** transformers 5.18, models/FAMILY/modeling_FAMILY.py. */
    private static final Map<String, String> BY_FAMILY =
            Map.ofEntries(
                    Map.entry("llama", "LlamaDecoderLayer"),
                    Map.entry("plain", "LlamaDecoderLayer"),
                    Map.entry("parameters", "LlamaDecoderLayer"),
                    Map.entry("mistral", "MistralDecoderLayer"),
                    Map.entry("qwen2", "Qwen2DecoderLayer"),
                    Map.entry("qwen3", "Qwen3DecoderLayer"),
                    Map.entry("gemma", "GemmaDecoderLayer"),
                    Map.entry("gemma2", "Gemma2DecoderLayer"),
                    Map.entry("gemma3_text", "Gemma3DecoderLayer"),
                    Map.entry("gpt2", "GPT2Block"),
                    Map.entry("gpt_neox", "GPTNeoXLayer"),
                    Map.entry("phi", "PhiDecoderLayer"),
                    Map.entry("phi3", "Phi3DecoderLayer"),
                    Map.entry("mixtral", "MixtralDecoderLayer"),
                    Map.entry("qwen2_moe", "Qwen2MoeDecoderLayer"),
                    Map.entry("qwen3_moe", "Qwen3MoeDecoderLayer"),
                    Map.entry("olmoe", "OlmoeDecoderLayer"),
                    Map.entry("deepseek_v3", "DeepseekV3DecoderLayer"),
                    Map.entry("gpt_oss", "GptOssDecoderLayer"));

    private LayerClass() {}

    /** Null for a family that is not known: the model's own _no_split_modules decide. */
    static String of(String family) {
        return BY_FAMILY.get(family);
    }
}
