package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * torchtitan's TOML: keys as in torchtitan/config/job_config.py of 0.2.1, the last form before its
 * configuration became Python.
 */
final class TorchtitanConfig implements Target {
    static final String NAME = "torchtitan.toml";

    /** Families that torchtitan has models of. */
    private static final Map<String, String> NAMES =
            Map.of(
                    "llama",
                    "llama3",
                    "qwen3",
                    "qwen3",
                    "qwen3_moe",
                    "qwen3",
                    "deepseek_v3",
                    "deepseek_v3");

    /** Flavors of llama3 by hidden size and layers. */
    private static final Map<String, String> LLAMA3 =
            Map.of("4096/32", "8B", "8192/80", "70B", "16384/126", "405B");

    @Override
    public List<EmittedFile> files(Job job) {
        if (!covers(job)) {
            return List.of();
        }
        Layout l = job.layout();
        Map<String, Object> values = new HashMap<>();
        values.put("ABOUT", job.about());
        values.put("NAME", NAMES.get(job.model().family()));
        values.put("FLAVOR", flavor(job.model()));
        values.put("IMPLEMENTATION", job.optimizer(Optimizer.ADAMW_FUSED) ? "fused" : "foreach");
        // A pipeline is fed all micro-steps at once; else torchtitan accumulates up to the global
        // batch.
        int local = job.workload().microBatch() * (l.pp() > 1 ? l.accumulation() : 1);
        values.put("LOCAL_BATCH", local);
        values.put("GLOBAL_BATCH", job.globalBatch());
        values.put("SEQ", job.workload().seq());
        values.put("DTYPE", job.precision(Precision.BF16) ? "bfloat16" : "float32");
        values.put("PARAM", job.precision(Precision.FP32) ? "float32" : "bfloat16");
        values.put("OFFLOAD", l.weightOffload() != Layout.Offload.NONE);
        int shard = job.fsdp2() ? l.shard() : 1;
        values.put("REPLICATE", l.dp() / shard);
        values.put("SHARD", shard);
        values.put("RESHARD", l.data() == DataParallel.FSDP2_NO_RESHARD ? "never" : "always");
        values.put("TP", l.tp());
        values.put("PP", l.pp());
        values.put("SCHEDULE", l.virtualStages() > 1 ? "Interleaved1F1B" : "1F1B");
        values.put("PP_BATCH", job.workload().microBatch());
        values.put("CP", l.cp());
        values.put("EP", l.ep());
        values.put("CHECKPOINT", job.workload().recompute() ? "full" : "none");
        return List.of(new EmittedFile(NAME, Template.fill(NAME, values)));
    }

    private static boolean covers(Job job) {
        boolean optimizer = job.optimizer(Optimizer.ADAMW) || job.optimizer(Optimizer.ADAMW_FUSED);
        return NAMES.containsKey(job.model().family())
                && optimizer
                && !job.deepSpeed()
                && !job.precision(Precision.FP16);
    }

    private static String flavor(ModelShape m) {
        String known = LLAMA3.get(m.hidden() + "/" + m.layers());
        return m.family().equals("llama") && known != null ? known : "debugmodel";
    }
}
