package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The config of {@code accelerate launch}: keys as in accelerate 1.15, commands/launch.py and
 * examples/config_yaml_templates.
 */
final class AccelerateConfig implements Target {
    static final String NAME = "accelerate.yaml";

    /** Accelerate divides data; it takes one optimizer. */
    static boolean covers(Job job) {
        return job.dataOnly() && !job.optimizer(Optimizer.MUON);
    }

    @Override
    public List<EmittedFile> files(Job job) {
        if (!covers(job)) {
            return List.of();
        }
        Map<String, Object> values = new HashMap<>();
        values.put("ABOUT", job.about());
        values.put("TYPE", type(job));
        values.put("MIXED", mixed(job));
        values.put("NODES", job.placement().nodes());
        values.put("WORLD", job.placement().world());
        values.put("RDZV", job.placement().nodes() > 1 ? "c10d" : "static");
        values.put("PART", part(job).stripTrailing());
        return List.of(new EmittedFile(NAME, Template.fill("accelerate.yaml", values)));
    }

    private static String type(Job job) {
        if (job.fsdp2()) {
            return "FSDP";
        }
        if (job.deepSpeed()) {
            return "DEEPSPEED";
        }
        return job.placement().world() > 1 ? "MULTI_GPU" : "'NO'";
    }

    /** Weights that are bf16 already need no mixed precision, except with DeepSpeed. */
    private static String mixed(Job job) {
        if (job.precision(Precision.FP16)) {
            return "fp16";
        }
        boolean bf16 =
                job.precision(Precision.MIXED)
                        || (job.deepSpeed() && job.precision(Precision.BF16));
        return bf16 ? "bf16" : "no";
    }

    private static String part(Job job) {
        if (job.deepSpeed()) {
            return Template.fill(
                    "accelerate-deepspeed.yaml",
                    Map.of("ZERO3", job.layout().data() == DataParallel.ZERO3));
        }
        if (!job.fsdp2()) {
            return "";
        }
        Layout layout = job.layout();
        String layer = LayerClass.of(job.model().family());
        String fsdp =
                Template.fill(
                        "accelerate-fsdp.yaml",
                        Map.of(
                                "RESHARD",
                                layout.data() == DataParallel.FSDP2,
                                "LAYER",
                                layer == null
                                        ? ""
                                        : "\n  fsdp_transformer_layer_cls_to_wrap: " + layer,
                                "LOAD_ON_ONE",
                                false,
                                "OFFLOAD",
                                layout.weightOffload() != Layout.Offload.NONE));
        if (!layout.hybrid()) {
            return fsdp;
        }
        return fsdp
                + Template.fill(
                        "accelerate-hsdp.yaml",
                        Map.of("REPLICATE", layout.dp() / layout.shard(), "SHARD", layout.shard()));
    }
}
