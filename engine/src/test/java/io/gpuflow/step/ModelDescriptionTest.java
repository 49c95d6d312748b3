package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelDescriptionTest {
    private static long parameters(String json) throws Exception {
        return ModelDescription.read("config.json", json).parameters();
    }

    @Test
    void llama38bHasItsPublishedCount() throws Exception {
        assertEquals(
                8_030_261_248L,
                parameters(
                        "{\"model_type\": \"llama\", \"hidden_size\": 4096,"
                                + " \"num_hidden_layers\": 32, \"vocab_size\": 128256,"
                                + " \"num_attention_heads\": 32, \"num_key_value_heads\": 8,"
                                + " \"intermediate_size\": 14336, \"tie_word_embeddings\": false}"));
    }

    @Test
    void aMixtureCountsEveryExpert() throws Exception {
        // Mixtral 8x7B: 46.7 billion
        long count =
                parameters(
                        "{\"model_type\": \"mixtral\", \"hidden_size\": 4096,"
                                + " \"num_hidden_layers\": 32, \"vocab_size\": 32000,"
                                + " \"num_attention_heads\": 32, \"num_key_value_heads\": 8,"
                                + " \"intermediate_size\": 14336, \"num_local_experts\": 8, \"num_experts_per_tok\": 2}");
        assertEquals(46.7e9, count, 0.05e9);
    }

    @Test
    void gpt2HasTwoMatricesAndTiedEmbeddings() throws Exception {
        long count =
                parameters(
                        "{\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_layer\": 12, \"vocab_size\": 50257, \"n_head\": 12,"
                                + " \"tie_word_embeddings\": true}");
        assertEquals(124e6, count, 1e6);
    }

    @Test
    void aCountMayBeGivenOutright() throws Exception {
        assertEquals(7_000_000_000L, parameters("{\"parameters\": 7e9}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"parameters\": -1}",
                "{\"parameters\": 1e300}",
                "{\"hidden_size\": \"many\"}",
                "\u0000\u0001"
            })
    void anythingElseIsRefusedByName(String text) {
        Exception e =
                assertThrows(
                        ModelDescription.NotRead.class,
                        () -> ModelDescription.read("my.json", text));
        assertTrue(e.getMessage().startsWith("my.json"), e.getMessage());
    }
}
