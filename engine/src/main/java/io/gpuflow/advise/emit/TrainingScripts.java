package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Optimizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Complete training scripts for layouts that divide data alone: DDP, FSDP2, and Accelerate. */
final class TrainingScripts implements Target {
    static final String DDP = "train_ddp.py";
    static final String FSDP2 = "train_fsdp2.py";
    static final String ACCELERATE = "train_accelerate.py";

    /** The script that torchrun starts, or null when there is none for the layout. */
    static String launched(Job job) {
        if (!job.dataOnly() || job.deepSpeed()) {
            return null;
        }
        return job.fsdp2() ? FSDP2 : DDP;
    }

    @Override
    public List<EmittedFile> files(Job job) {
        List<EmittedFile> files = new ArrayList<>();
        Map<String, Object> values = values(job);
        values.put("COMMON", Template.fill("common.py", values));
        String launched = launched(job);
        if (launched != null) {
            values.put(
                    "RUN",
                    "torchrun --standalone --nproc-per-node="
                            + job.placement().local()
                            + " "
                            + launched
                            + " (launch.sh: bound to the CPUs near each GPU)");
            files.add(new EmittedFile(launched, Template.fill(launched, values)));
        }
        if (AccelerateConfig.covers(job)) {
            files.add(new EmittedFile(ACCELERATE, Template.fill(ACCELERATE, values)));
        }
        return files;
    }

    private static Map<String, Object> values(Job job) {
        Layout layout = job.layout();
        boolean offload = layout.weightOffload() != Layout.Offload.NONE;
        Map<String, Object> values = new HashMap<>();
        values.put("WORLD", job.placement().world());
        values.put("MICRO_BATCH", job.workload().microBatch());
        values.put("ACCUMULATION", layout.accumulation());
        values.put("SEQ", job.workload().seq());
        values.put("PRECISION", job.workload().precision().word());
        values.put("RECOMPUTE", python(job.workload().recompute()));
        values.put("ATTENTION", attention(job));
        values.put("GLOBAL_BATCH", job.globalBatch());
        values.put("BATCH_WORDS", job.batchWords());
        values.put("OPTIMIZER", optimizer(job.workload().optimizer()));
        values.put("SHARD", layout.shard());
        values.put("RESHARD", python(layout.data() == DataParallel.FSDP2));
        values.put("OFFLOAD_IMPORT", offload ? "CPUOffloadPolicy, " : "");
        values.put("OFFLOAD_OPTION", offload ? ", offload_policy=CPUOffloadPolicy()" : "");
        values.put(
                "BACKEND",
                offload
                        ? "\"cuda:nccl,cpu:gloo\" if GPU else \"gloo\""
                        : "\"nccl\" if GPU else \"gloo\"");
        values.put("BUILD_DEVICE", job.builtOnHost() ? "torch.device(\"cpu\")" : "device");
        values.put("KEEP_ON_CPU", python(job.builtOnHost()));
        values.put("SYNC", layout.accumulation() > 1 ? SYNC : "");
        return values;
    }

    private static final String SYNC =
            """
                        # Gradients are reduced with every micro-step. Once a step saves that traffic and costs the memory of undivided gradients:
                        # model.set_requires_gradient_sync(micro == ACCUMULATION - 1)
            """;

    static String python(boolean value) {
        return value ? "True" : "False";
    }

    private static String attention(Job job) {
        return switch (job.workload().attention()) {
            case SDPA -> "sdpa";
            case EAGER -> "eager";
            case FLASH -> "flash_attention_2";
        };
    }

    private static String optimizer(Optimizer optimizer) {
        return switch (optimizer) {
            case ADAMW -> one("torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)");
            case ADAMW_FUSED ->
                    one("torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)");
            case ADAM8BIT ->
                    "def optimizers(model):\n    import bitsandbytes\n\n    return"
                            + " [bitsandbytes.optim.AdamW8bit(model.parameters(),"
                            + " lr=LEARNING_RATE)]\n";
            case SGD -> one("torch.optim.SGD(model.parameters(), lr=LEARNING_RATE)");
            case SGD_MOMENTUM ->
                    one("torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=0.9)");
            case ADAFACTOR -> one("torch.optim.Adafactor(model.parameters(), lr=LEARNING_RATE)");
            case LION -> Template.text("lion.py");
            case MUON -> Template.text("muon.py");
        };
    }

    private static String one(String optimizer) {
        return "def optimizers(model):\n    return [" + optimizer + "]\n";
    }
}
