package io.gpuflow.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a description is said, all of it; nothing is guessed in silence. */
class ModelReaderTest {
    private static final String LLAMA =
            """
            {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
             "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
             "vocab_size": 128256, "tie_word_embeddings": false, "hidden_act": "silu"}
            """;

    private static ModelShape read(String json) throws BadModel {
        return ModelReader.read("config.json", JsonTree.read("config.json", json));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'hidden_size': 4096, | | missing: hidden_size",
                "'num_attention_heads': 32 | 'num_attention_heads': 30 | not a multiple",
                "'num_key_value_heads': 8 | 'num_key_value_heads': 5 | not a multiple of num_key_value_heads 5",
                "'num_key_value_heads': 8 | 'num_key_value_heads': 0 | num_key_value_heads: 0 cannot be",
                "'num_key_value_heads': 8 | 'head_dim': 0 | head_dim: 0 cannot be",
                "'vocab_size': 128256 | 'vocab_size': -1 | vocab_size: -1 cannot be",
                "'vocab_size': 128256 | 'vocab_size': 'many' | expected a whole number, found many",
                "'vocab_size': 128256 | 'vocab_size': 1e9 | expected a whole number",
                "'vocab_size': 128256 | 'vocab_size': 99999999999999999999999 | expected a whole number",
                "'tie_word_embeddings': false | 'tie_word_embeddings': 'no' | expected true or false",
                "'model_type': 'llama' | 'model_type': 'bloom' | model_type bloom: how it computes is not known",
                "'num_hidden_layers': 32 | 'num_hidden_layers': 32000 | cannot be; expected at most 1000",
                "'hidden_size': 4096 | 'vocab_size': 1, 'hidden_size': 4096 | Duplicate field",
            })
    void badDescriptions(String from, String to, String says) {
        String find = from.replace('\'', '"');
        assertTrue(LLAMA.contains(find), find);
        String text = LLAMA.replace(find, to == null ? "" : to.replace('\'', '"'));
        BadModel e = assertThrows(BadModel.class, () -> read(text));
        assertTrue(String.join("\n", e.problems()).contains(says), e.getMessage());
    }

    @Test
    void everyProblemIsSaidAtOnce() {
        BadModel e =
                assertThrows(
                        BadModel.class,
                        () -> read("{\"model_type\": \"llama\", \"vocab_size\": 0}"));
        assertTrue(e.getMessage().contains("hidden_size, num_hidden_layers"), e.getMessage());
        assertTrue(e.getMessage().contains("vocab_size: 0 cannot be"), e.getMessage());
    }

    @Test
    void whatIsTakenFromTheFamilyIsSaid() throws BadModel {
        String text = LLAMA.replace("llama", "mistral").replace("\"num_key_value_heads\": 8,", "");
        List<String> assumed = read(text).assumed();
        assertEquals(2, assumed.size(), assumed.toString());
        assertTrue(assumed.get(0).startsWith("num_key_value_heads: 8"));
        assertTrue(assumed.get(1).startsWith("sliding_window: 4096"));
    }

    @Test
    void theDecoderOfAModelThatSees() throws BadModel {
        ModelShape model = read("{\"model_type\": \"llava\", \"text_config\": " + LLAMA + "}");
        assertEquals(8_030_261_248L, model.parameters().total());
    }

    @Test
    void sizesAlone() throws BadModel {
        Map<String, Object> sizes =
                Map.of("hidden", 2048, "layers", 22, "heads", 32, "kv_heads", 4, "ffn", 5632);
        BadModel e = assertThrows(BadModel.class, () -> ModelReader.read("m.yaml", sizes));
        assertTrue(e.getMessage().contains("missing: vocab"), e.getMessage());
        Map<String, Object> all = new java.util.HashMap<>(sizes);
        all.put("vocab", 32000);
        assertEquals(1_100_048_384L, ModelReader.read("m.yaml", all).parameters().total());
        all.put("hiden", 1);
        e = assertThrows(BadModel.class, () -> ModelReader.read("m.yaml", all));
        assertTrue(e.getMessage().contains("hiden: not known here"), e.getMessage());
    }

    @Test
    void sizesThatTogetherCannotBe() {
        Map<String, Object> sizes = new java.util.HashMap<>();
        for (String name : List.of("hidden", "ffn", "vocab")) {
            sizes.put(name, 1 << 24);
        }
        sizes.put("layers", 1000);
        sizes.put("heads", 1 << 24);
        sizes.put("head_dim", 1 << 24);
        sizes.put("experts", Map.of("count", 1 << 24, "top_k", 1 << 24));
        BadModel e = assertThrows(BadModel.class, () -> ModelReader.read("m.yaml", sizes));
        assertTrue(e.getMessage().contains("parameters cannot be"), e.getMessage());
        assertTrue(e.getMessage().contains("heads of 16777216 cannot be"), e.getMessage());
    }

    @Test
    void nothingButANumber() throws BadModel {
        for (double count : new double[] {1e8, 1.6e8, 1e9, 7e9, 70e9, 1e12}) {
            ModelShape model = PlainModel.ofParameters(count);
            assertEquals(count, model.parameters().total(), 0.05 * count);
            assertFalse(model.assumed().isEmpty());
        }
        assertThrows(BadModel.class, () -> PlainModel.ofParameters(Double.NaN));
        assertThrows(BadModel.class, () -> PlainModel.ofParameters(-7e9));
    }

    @Test
    void hostileJsonEnds() {
        for (String text :
                List.of(
                        "",
                        "[]",
                        "null",
                        "{\"a\":".repeat(100_000),
                        "{\"model_type\": \"llama\"} {}",
                        "{\"hidden_size\": " + "9".repeat(100_000) + "}",
                        "{\"model_type\": \"" + "\\u0007x".repeat(10_000) + "\"}")) {
            assertThrows(BadModel.class, () -> read(text));
        }
    }

    /** Damaged texts either give a model that can be computed with, or are refused. */
    @Test
    void damagedDescriptions() {
        Random random = new Random(6);
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(LLAMA);
            for (int n = random.nextInt(4) + 1; n > 0; n--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, (char) (32 + random.nextInt(95)));
                    default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
                }
            }
            try {
                ModelShape model = read(text.toString());
                assertTrue(model.parameters().total() > 0, text.toString());
            } catch (BadModel e) {
                assertFalse(e.problems().isEmpty());
            }
        }
    }
}
