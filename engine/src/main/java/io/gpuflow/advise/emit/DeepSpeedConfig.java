package io.gpuflow.advise.emit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Precision;
import java.util.List;
import java.util.Locale;

/**
 * DeepSpeed's configuration for the three stages of ZeRO: keys as in
 * deepspeed/runtime/zero/config.py and docs/_pages/config-json.md (0.19).
 */
final class DeepSpeedConfig implements Target {
    static final String NAME = "deepspeed.json";

    /** Where states go that NVMe keeps; a fast local disk. */
    private static final String NVME_FOLDER = "/local_nvme";

    @Override
    public List<EmittedFile> files(Job job) {
        if (!job.deepSpeed() || !job.dataOnly()) {
            return List.of();
        }
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("train_batch_size", job.globalBatch());
        root.put("train_micro_batch_size_per_gpu", job.workload().microBatch());
        root.put("gradient_accumulation_steps", job.layout().accumulation());
        // DeepSpeed keeps fp32 copies of 16-bit weights itself.
        root.putObject("bf16")
                .put("enabled", job.precision(Precision.MIXED) || job.precision(Precision.BF16));
        root.putObject("fp16").put("enabled", job.precision(Precision.FP16));
        zero(root.putObject("zero_optimization"), job.layout());
        root.put("wall_clock_breakdown", false);
        return List.of(new EmittedFile(NAME, root.toPrettyString() + "\n"));
    }

    private static void zero(ObjectNode zero, Layout layout) {
        zero.put(
                "stage",
                layout.data() == DataParallel.ZERO1
                        ? 1
                        : layout.data() == DataParallel.ZERO2 ? 2 : 3);
        zero.put("overlap_comm", true);
        zero.put("contiguous_gradients", true);
        zero.put("reduce_bucket_size", 500_000_000L);
        zero.put("allgather_bucket_size", 500_000_000L);
        if (layout.data() == DataParallel.ZERO3) {
            zero.put("stage3_prefetch_bucket_size", 50_000_000L);
            zero.put("stage3_param_persistence_threshold", 100_000L);
            zero.put("stage3_max_live_parameters", 1_000_000_000L);
            zero.put("stage3_max_reuse_distance", 1_000_000_000L);
            zero.put("stage3_gather_16bit_weights_on_model_save", true);
            if (layout.hybrid()) {
                zero.put("zero_hpz_partition_size", layout.shard());
            }
        }
        offload(zero, "offload_optimizer", layout.optimizerOffload());
        offload(zero, "offload_param", layout.weightOffload());
    }

    private static void offload(ObjectNode zero, String key, Layout.Offload where) {
        if (where == Layout.Offload.NONE) {
            return;
        }
        ObjectNode node = zero.putObject(key);
        node.put("device", where.name().toLowerCase(Locale.ROOT));
        node.put("pin_memory", true);
        if (where == Layout.Offload.NVME) {
            node.put("nvme_path", NVME_FOLDER);
        }
    }
}
