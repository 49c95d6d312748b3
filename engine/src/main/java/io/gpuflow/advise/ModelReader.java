package io.gpuflow.advise;

import io.gpuflow.advise.ModelShape.Activation;
import io.gpuflow.advise.ModelShape.Block;
import io.gpuflow.advise.ModelShape.Experts;
import io.gpuflow.advise.ModelShape.Latent;
import io.gpuflow.advise.ModelShape.Norm;
import java.util.List;
import java.util.Map;

/** Makes a model of the config.json of Hugging Face transformers. */
public final class ModelReader {
    private final Fields f;
    private final Family family;

    private ModelReader(Fields fields, Family family) {
        this.f = fields;
        this.family = family;
    }

    /**
     * @param name of the file, for messages
     * @param tree the file's content: maps, lists, texts, numbers, booleans
     */
    @SuppressWarnings("unchecked")
    public static ModelShape read(String name, Map<String, Object> tree) throws BadModel {
        if (!tree.containsKey("model_type")) {
            return PlainModel.read(name, tree);
        }
        // Models that also see or hear keep the decoder's numbers one level down.
        Map<String, Object> inner =
                tree.get("text_config") instanceof Map<?, ?> text
                        ? (Map<String, Object>) text
                        : tree;
        Fields fields = new Fields(inner);
        String type = String.valueOf(inner.getOrDefault("model_type", tree.get("model_type")));
        Family family = Family.of(type);
        if (family == null) {
            fields.problem(
                    "model_type "
                            + shortened(type)
                            + ": how it computes is not known; known are "
                            + String.join(", ", Family.types())
                            + ". Describe it by sizes alone (hidden, layers, heads, ffn, vocab …) or"
                            + " give --params");
            fields.check(name);
        }
        ModelShape model = new ModelReader(fields, family).model();
        fields.plausible(model);
        fields.check(name);
        return model;
    }

    private static String shortened(String type) {
        String plain = type.replaceAll("[^\\w.-]", "?");
        return plain.length() > 40 ? plain.substring(0, 40) + "…" : plain;
    }

    private ModelShape model() {
        int hidden = f.need("hidden_size", "n_embd");
        int layers = f.need("num_hidden_layers", "n_layer");
        int heads = f.need("num_attention_heads", "n_head");
        int vocab = f.need("vocab_size");
        int kvHeads = kvHeads(heads);
        int headDim = headDim(hidden, heads);
        int ffn = ffn(hidden);
        Experts experts = family.experts() ? experts(layers, ffn) : null;
        Latent latent = family.latent() ? latent() : null;
        check(layers, heads, kvHeads, experts);
        return new ModelShape(
                family.type(),
                hidden,
                layers,
                heads,
                kvHeads,
                headDim,
                ffn,
                vocab,
                family.gated(),
                f.flag(family.tied(), "tie_word_embeddings"),
                block(layers, headDim),
                experts,
                latent,
                f.assumed());
    }

    private void check(int layers, int heads, int kvHeads, Experts experts) {
        if (layers > 1000) {
            f.problem(layers + " layers cannot be; expected at most 1000");
        }
        if (heads % kvHeads != 0) {
            f.problem(
                    "num_attention_heads "
                            + heads
                            + " is not a multiple of num_key_value_heads "
                            + kvHeads);
        }
        if (experts != null && experts.topK() > experts.count()) {
            f.problem(
                    "num_experts_per_tok "
                            + experts.topK()
                            + " is more than the "
                            + experts.count()
                            + " experts");
        }
    }

    private int kvHeads(int heads) {
        boolean single = family == Family.GPT2 || family == Family.GPT_NEOX || family.latent();
        if (single) {
            return heads;
        }
        if (family.kvHeads() == 0 || f.mentions("num_key_value_heads")) {
            return f.optionalSize(heads, "num_key_value_heads");
        }
        String from = "the default of " + family.type() + " in transformers";
        return f.assume(family.kvHeads(), from, "num_key_value_heads");
    }

    private int headDim(int hidden, int heads) {
        if (f.has("head_dim")) {
            return f.optionalSize(0, "head_dim");
        }
        if (family.headDim() > 0) {
            String from = "the default of " + family.type() + " in transformers";
            return f.assume(family.headDim(), from, "head_dim");
        }
        if (!family.latent() && hidden % heads != 0) {
            f.problem(
                    "hidden_size "
                            + hidden
                            + " is not a multiple of num_attention_heads "
                            + heads
                            + ", and head_dim is not given");
        }
        return Math.max(1, hidden / heads);
    }

    private int ffn(int hidden) {
        return family == Family.GPT2
                ? f.optionalSize(4 * hidden, "n_inner")
                : f.need("intermediate_size");
    }

    private Experts experts(int layers, int ffn) {
        int count = f.need("num_local_experts", "num_experts", "n_routed_experts");
        int topK = f.need("num_experts_per_tok");
        int each = family == Family.MIXTRAL ? ffn : f.need("moe_intermediate_size");
        int shared = 0;
        int dense = 0;
        if (family == Family.QWEN2_MOE) {
            shared = f.need("shared_expert_intermediate_size");
        } else if (family.latent()) {
            shared = f.optional(0, "n_shared_experts") * each;
            dense = f.optional(0, "first_k_dense_replace");
        }
        if (family == Family.QWEN2_MOE || family == Family.QWEN3_MOE) {
            int step = Math.max(1, f.optional(1, "decoder_sparse_step"));
            dense = Math.max(layers - layers / step, f.listSize("mlp_only_layers"));
        }
        return new Experts(
                count, topK, each, shared, family == Family.QWEN2_MOE, Math.min(dense, layers));
    }

    private Latent latent() {
        return new Latent(
                f.optional(0, "q_lora_rank"),
                f.need("kv_lora_rank"),
                f.need("qk_rope_head_dim"),
                f.need("qk_nope_head_dim"),
                f.need("v_head_dim"));
    }

    private Block block(int layers, int headDim) {
        boolean gpt2 = family == Family.GPT2;
        boolean neox = family == Family.GPT_NEOX;
        boolean phi = family == Family.PHI;
        boolean starcoder = family == Family.STARCODER2;
        boolean biases = starcoder && f.flag(true, "use_bias");
        boolean qwen2 = family == Family.QWEN2 || family == Family.QWEN2_MOE;
        boolean attentionBias = f.flag(neox, "attention_bias");
        boolean parallel = phi || neox && f.flag(true, "use_parallel_residual");
        boolean layerNorm = family.norm() == Norm.LAYER;
        Integer window = window();
        return new Block(
                family.norm(),
                activation(),
                gpt2 || phi || biases || qwen2 || attentionBias,
                gpt2 || phi || biases || attentionBias && !qwen2,
                gpt2 || phi || biases || neox || f.flag(false, "mlp_bias"),
                phi,
                layerNorm,
                family == Family.QWEN3 || family == Family.QWEN3_MOE || family == Family.GEMMA3,
                family == Family.GEMMA2 || family == Family.GEMMA3,
                parallel,
                phi,
                gpt2 || neox || family == Family.PHI3,
                family == Family.PHI3,
                gpt2 ? 0 : rotaryDim(headDim),
                phi || neox || family == Family.PHI3,
                gpt2
                        ? f.assume(
                                1024,
                                "the default of gpt2",
                                "n_positions",
                                "max_position_embeddings")
                        : 0,
                window,
                window == null ? 0 : windowLayers(layers),
                dropout(gpt2 ? 0.1 : 0, "embd_pdrop", "embedding_dropout"),
                dropout(gpt2 ? 0.1 : 0, "attn_pdrop", "attention_dropout"),
                dropout(gpt2 ? 0.1 : 0, "resid_pdrop", "residual_dropout", "hidden_dropout"),
                family == Family.GEMMA2 && capped("attn_logit_softcapping"),
                family == Family.GEMMA2 && capped("final_logit_softcapping"));
    }

    /** Gemma 2 caps unless the description says null. */
    private boolean capped(String name) {
        return f.has(name) || !f.mentions(name);
    }

    private double dropout(double otherwise, String... names) {
        for (String name : names) {
            if (f.has(name)) {
                return f.share(otherwise, name);
            }
        }
        return otherwise;
    }

    private Activation activation() {
        String name = family.activation();
        for (String key : List.of("hidden_activation", "hidden_act", "activation_function")) {
            name = f.has(key) ? f.text(name, key) : name;
            if (f.has(key)) {
                break;
            }
        }
        // Gemma's hidden_act says "gelu" in old files; the model takes the tanh form all the same.
        Activation found = Family.activationOf(name);
        if (found == null) {
            f.assumed("the activation " + shortened(name) + ": one operation that keeps its input");
            return Activation.GELU;
        }
        return found;
    }

    private int rotaryDim(int headDim) {
        double part =
                switch (family) {
                    case PHI -> f.share(0.5, "partial_rotary_factor");
                    case GPT_NEOX -> f.share(0.25, "rotary_pct");
                    default -> f.share(1, "partial_rotary_factor");
                };
        return Math.max(2, (int) (headDim * part) / 2 * 2);
    }

    private Integer window() {
        int family4096 =
                switch (family) {
                    case MISTRAL, GEMMA2, GEMMA3 -> 4096;
                    default -> 0;
                };
        boolean qwen = family.type().startsWith("qwen");
        if (qwen && !f.flag(false, "use_sliding_window")) {
            return null;
        }
        boolean says = f.mentions("sliding_window");
        int window = says ? f.optional(0, "sliding_window") : family4096;
        if (!says && window > 0) {
            f.assumed(
                    "sliding_window: 4096 (the default of " + family.type() + " in transformers)");
        }
        return window == 0 ? null : window;
    }

    private int windowLayers(int layers) {
        int named = f.count("layer_types", "sliding_attention");
        if (named >= 0) {
            return Math.min(named, layers);
        }
        return switch (family) {
            case GEMMA2 -> (layers + 1) / 2;
            case GEMMA3 -> layers - layers / Math.max(1, f.optional(6, "sliding_window_pattern"));
            case QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE ->
                    Math.max(0, layers - f.optional(layers, "max_window_layers"));
            default -> layers;
        };
    }
}
