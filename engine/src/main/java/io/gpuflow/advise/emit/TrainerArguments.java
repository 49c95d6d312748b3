package io.gpuflow.advise.emit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import java.util.List;

/**
 * Arguments for the Trainer of transformers, in the form that {@code
 * HfArgumentParser.parse_json_file} reads; fields as in training_args.py of transformers 5.18.
 */
final class TrainerArguments implements Target {
    static final String NAME = "training_arguments.json";

    @Override
    public List<EmittedFile> files(Job job) {
        if (!job.dataOnly() || optim(job.workload().optimizer()) == null) {
            return List.of();
        }
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("output_dir", "output");
        root.put("per_device_train_batch_size", job.workload().microBatch());
        root.put("gradient_accumulation_steps", job.layout().accumulation());
        root.put("learning_rate", 3e-4);
        // Pure bf16 is a matter of the model's dtype, not of the Trainer's.
        root.put(
                "bf16",
                job.precision(Precision.MIXED)
                        || (job.deepSpeed() && job.precision(Precision.BF16)));
        root.put("fp16", job.precision(Precision.FP16));
        root.put("optim", optim(job.workload().optimizer()));
        boolean recompute = job.workload().recompute();
        // With FSDP the Trainer itself asks for its own activation checkpointing instead.
        root.put("gradient_checkpointing", recompute && !job.fsdp2());
        if (recompute && !job.fsdp2()) {
            root.putObject("gradient_checkpointing_kwargs").put("use_reentrant", false);
        }
        if (job.deepSpeed()) {
            root.put("deepspeed", DeepSpeedConfig.NAME);
        } else if (job.fsdp2()) {
            fsdp(root, job);
        } else if (job.layout().data() == DataParallel.DDP) {
            root.put("ddp_find_unused_parameters", false);
        }
        return List.of(new EmittedFile(NAME, root.toPrettyString() + "\n"));
    }

    private static void fsdp(ObjectNode root, Job job) {
        root.put("fsdp", true);
        ObjectNode config = root.putObject("fsdp_config");
        config.put("version", 2);
        config.put("reshard_after_forward", job.layout().data() == DataParallel.FSDP2);
        config.put("activation_checkpointing", job.workload().recompute());
        config.put("cpu_offload", job.layout().weightOffload() != Layout.Offload.NONE);
        config.put("state_dict_type", "SHARDED_STATE_DICT");
        String layer = LayerClass.of(job.model().family());
        if (layer != null) {
            config.putArray("transformer_layer_cls_to_wrap").add(layer);
        }
    }

    /** Null for an optimizer that the Trainer does not know by name. */
    private static String optim(Optimizer optimizer) {
        return switch (optimizer) {
            case ADAMW -> "adamw_torch";
            case ADAMW_FUSED -> "adamw_torch_fused";
            case ADAM8BIT -> "adamw_bnb_8bit";
            case SGD -> "sgd";
            case ADAFACTOR -> "adafactor";
            case LION -> "lion_32bit";
            case SGD_MOMENTUM, MUON -> null;
        };
    }
}
