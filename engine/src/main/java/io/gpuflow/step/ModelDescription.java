package io.gpuflow.step;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gpuflow.facts.ModelSize;
import java.util.ArrayList;
import java.util.List;

/**
 * How many parameters a model has, from the config.json of Hugging Face transformers (decoders,
 * dense or mixture of experts) or from a file that says {@code {"parameters": 8030261248}}.
 */
final class ModelDescription {
    private static final ObjectMapper JSON =
            JsonMapper.builder(
                            com.fasterxml.jackson.core.JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(50)
                                                    .maxNumberLength(40)
                                                    .build())
                                    .build())
                    .build();

    /** More than any model has; a larger number is a mistake. */
    private static final double MOST = 1e15;

    /** The file does not describe a model. */
    static final class NotRead extends Exception {
        private static final long serialVersionUID = 1L;

        NotRead(String why) {
            super(why);
        }
    }

    private final JsonNode config;
    private final List<String> missing = new ArrayList<>();

    private ModelDescription(JsonNode config) {
        this.config = config;
    }

    /**
     * Reads a description.
     *
     * @param name of the file, for messages
     */
    static ModelSize read(String name, String text) throws NotRead {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new NotRead(name + ":" + line + ": not JSON: " + e.getOriginalMessage());
        }
        if (json == null || !json.isObject()) {
            throw new NotRead(name + ": not a JSON object; expected a model's config.json");
        }
        // Models that also see or hear keep the decoder's numbers one level down.
        JsonNode inner = json.path("text_config").isObject() ? json.get("text_config") : json;
        double parameters = new ModelDescription(inner).parameters(name);
        String model = json.path("_name_or_path").asText(json.path("model_type").asText(name));
        return new ModelSize(
                model.isEmpty() ? name : model,
                Math.round(parameters),
                Math.round(parameters * MemoryNeed.BYTES_PER_PARAMETER));
    }

    private double parameters(String name) throws NotRead {
        if (config.path("parameters").isNumber()) {
            return checked(name, config.get("parameters").doubleValue());
        }
        double h = need("hidden_size", "n_embd", "d_model");
        double layers = need("num_hidden_layers", "n_layer", "num_layers");
        double vocab = need("vocab_size");
        double heads = need("num_attention_heads", "n_head", "num_heads");
        if (!missing.isEmpty()) {
            throw new NotRead(
                    name
                            + ": no "
                            + String.join(", no ", missing)
                            + "; expected a config.json of transformers, or {\"parameters\": N}");
        }
        double kv = have(heads, "num_key_value_heads");
        double head = have(h / heads, "head_dim");
        double attention = h * head * (2 * heads + 2 * kv);
        double perLayer = attention + feedForward(h) + 2 * h;
        boolean tied = config.path("tie_word_embeddings").asBoolean(false);
        return checked(name, vocab * h * (tied ? 1 : 2) + layers * perLayer + h);
    }

    /** Gated (three matrices) unless it is one of the older two-matrix families. */
    private double feedForward(double h) {
        double f = have(4 * h, "intermediate_size", "n_inner", "ffn_dim");
        boolean two = config.has("n_embd") || config.has("ffn_dim");
        double experts = have(0, "num_local_experts", "num_experts", "n_routed_experts");
        if (experts > 1) {
            double each = 3 * h * have(f, "moe_intermediate_size");
            double shared = have(0, "n_shared_experts") * each;
            return experts * each + shared + h * experts;
        }
        return (two ? 2 : 3) * h * f;
    }

    private double need(String... names) {
        double value = have(0, names);
        if (value <= 0) {
            missing.add(names[0]);
        }
        return value;
    }

    private double have(double otherwise, String... names) {
        for (String name : names) {
            JsonNode value = config.path(name);
            if (value.isNumber() && value.doubleValue() > 0) {
                return value.doubleValue();
            }
        }
        return otherwise;
    }

    private static double checked(String name, double parameters) throws NotRead {
        if (!(parameters >= 1 && parameters <= MOST)) {
            throw new NotRead(name + ": " + parameters + " parameters cannot be");
        }
        return parameters;
    }
}
