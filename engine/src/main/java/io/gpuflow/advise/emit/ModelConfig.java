package io.gpuflow.advise.emit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.ModelShape;
import java.util.List;

/** model.json: the model as the training scripts read it, in the form of Hugging Face. */
final class ModelConfig implements Target {
    static final String NAME = "model.json";

    @Override
    public List<EmittedFile> files(Job job) {
        String text = job.config() == null ? described(job.model()) : job.config();
        return List.of(new EmittedFile(NAME, text.stripTrailing() + "\n"));
    }

    /** A Llama of the same sizes, for a model that was described by sizes alone. */
    private static String described(ModelShape m) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.put("model_type", "llama");
        node.put("hidden_size", m.hidden());
        node.put("num_hidden_layers", m.layers());
        node.put("num_attention_heads", m.heads());
        node.put("num_key_value_heads", m.kvHeads());
        node.put("head_dim", m.headDim());
        node.put("intermediate_size", m.ffn());
        node.put("vocab_size", m.vocab());
        node.put("tie_word_embeddings", m.tied());
        return node.toPrettyString();
    }
}
