package io.gpuflow.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameter counts are those that are published with the models. */
class ParameterCountTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Llama-2-7B | 6738415616 | {'model_type':'llama','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'intermediate_size':11008,'vocab_size':32000}",
                "Llama-3-8B | 8030261248 | {'model_type':'llama','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'num_key_value_heads':8,'intermediate_size':14336,'vocab_size':128256}",
                "Mistral-7B | 7241732096 | {'model_type':'mistral','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'num_key_value_heads':8,'intermediate_size':14336,'vocab_size':32000}",
                "Mixtral-8x7B | 46702792704 | {'model_type':'mixtral','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'num_key_value_heads':8,'intermediate_size':14336,'vocab_size':32000,'num_local_experts':8,'num_experts_per_tok':2}",
                "Qwen2-0.5B | 494032768 | {'model_type':'qwen2','hidden_size':896,'num_hidden_layers':24,'num_attention_heads':14,'num_key_value_heads':2,'intermediate_size':4864,'vocab_size':151936,'tie_word_embeddings':true}",
                "Qwen2-7B | 7615616512 | {'model_type':'qwen2','hidden_size':3584,'num_hidden_layers':28,'num_attention_heads':28,'num_key_value_heads':4,'intermediate_size':18944,'vocab_size':152064}",
                "Qwen3-8B | 8190735360 | {'model_type':'qwen3','hidden_size':4096,'num_hidden_layers':36,'num_attention_heads':32,'num_key_value_heads':8,'head_dim':128,'intermediate_size':12288,'vocab_size':151936}",
                "Qwen3-30B-A3B | 30532122624 | {'model_type':'qwen3_moe','hidden_size':2048,'num_hidden_layers':48,'num_attention_heads':32,'num_key_value_heads':4,'head_dim':128,'intermediate_size':6144,'moe_intermediate_size':768,'num_experts':128,'num_experts_per_tok':8,'vocab_size':151936}",
                "Qwen1.5-MoE-A2.7B | 14315784192 | {'model_type':'qwen2_moe','hidden_size':2048,'num_hidden_layers':24,'num_attention_heads':16,'num_key_value_heads':16,'intermediate_size':5632,'moe_intermediate_size':1408,'shared_expert_intermediate_size':5632,'num_experts':60,'num_experts_per_tok':4,'vocab_size':151936}",
                "Gemma-2B | 2506172416 | {'model_type':'gemma','hidden_size':2048,'num_hidden_layers':18,'num_attention_heads':8,'num_key_value_heads':1,'head_dim':256,'intermediate_size':16384,'vocab_size':256000}",
                "Gemma-2-2B | 2614341888 | {'model_type':'gemma2','hidden_size':2304,'num_hidden_layers':26,'num_attention_heads':8,'num_key_value_heads':4,'head_dim':256,'intermediate_size':9216,'vocab_size':256000}",
                "Gemma-2-9B | 9241705984 | {'model_type':'gemma2','hidden_size':3584,'num_hidden_layers':42,'num_attention_heads':16,'num_key_value_heads':8,'head_dim':256,'intermediate_size':14336,'vocab_size':256000}",
                "Gemma-3-1B | 999885952 | {'model_type':'gemma3_text','hidden_size':1152,'num_hidden_layers':26,'num_attention_heads':4,'num_key_value_heads':1,'head_dim':256,'intermediate_size':6912,'vocab_size':262144}",
                "Phi-2 | 2779683840 | {'model_type':'phi','hidden_size':2560,'num_hidden_layers':32,'num_attention_heads':32,'intermediate_size':10240,'vocab_size':51200}",
                "Phi-3-mini | 3821079552 | {'model_type':'phi3','hidden_size':3072,'num_hidden_layers':32,'num_attention_heads':32,'num_key_value_heads':32,'intermediate_size':8192,'vocab_size':32064}",
                "GPT-2 | 124439808 | {'model_type':'gpt2','n_embd':768,'n_layer':12,'n_head':12,'vocab_size':50257,'n_positions':1024}",
                "GPT-2 XL | 1557611200 | {'model_type':'gpt2','n_embd':1600,'n_layer':48,'n_head':25,'vocab_size':50257,'n_positions':1024}",
                "Pythia-1B | 1011781632 | {'model_type':'gpt_neox','hidden_size':2048,'num_hidden_layers':16,'num_attention_heads':8,'intermediate_size':8192,'vocab_size':50304}",
                "Pythia-6.9B | 6857302016 | {'model_type':'gpt_neox','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'intermediate_size':16384,'vocab_size':50432}",
                "GPT-NeoX-20B | 20554567680 | {'model_type':'gpt_neox','hidden_size':6144,'num_hidden_layers':44,'num_attention_heads':64,'intermediate_size':24576,'vocab_size':50432}",
                "StarCoder2-3B | 3030371328 | {'model_type':'starcoder2','hidden_size':3072,'num_hidden_layers':30,'num_attention_heads':24,'num_key_value_heads':2,'intermediate_size':12288,'vocab_size':49152}",
                "DeepSeek-V2-Lite | 15706484224 | {'model_type':'deepseek_v2','hidden_size':2048,'num_hidden_layers':27,'num_attention_heads':16,'num_key_value_heads':16,'intermediate_size':10944,'moe_intermediate_size':1408,'n_routed_experts':64,'n_shared_experts':2,'num_experts_per_tok':6,'first_k_dense_replace':1,'q_lora_rank':null,'kv_lora_rank':512,'qk_rope_head_dim':64,'qk_nope_head_dim':128,'v_head_dim':128,'vocab_size':102400}",
                "DeepSeek-V3 | 671026404352 | {'model_type':'deepseek_v3','hidden_size':7168,'num_hidden_layers':61,'num_attention_heads':128,'num_key_value_heads':128,'intermediate_size':18432,'moe_intermediate_size':2048,'n_routed_experts':256,'n_shared_experts':1,'num_experts_per_tok':8,'first_k_dense_replace':3,'q_lora_rank':1536,'kv_lora_rank':512,'qk_rope_head_dim':64,'qk_nope_head_dim':128,'v_head_dim':128,'vocab_size':129280}",
            })
    void published(String name, long count, String config) throws BadModel {
        String json = config.replace('\'', '"');
        assertEquals(count, ModelReader.read(name, JsonTree.read(name, json)).parameters().total());
    }
}
