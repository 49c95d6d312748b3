package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Arguments of Megatron-LM's pretrain_gpt.py: names as in megatron/training/arguments.py and the
 * configuration classes of megatron/core that it reads (core 0.17).
 */
final class MegatronArguments implements Target {
    static final String NAME = "megatron.sh";

    @Override
    public List<EmittedFile> files(Job job) {
        if (!covers(job)) {
            return List.of();
        }
        Map<String, Object> values =
                Map.of(
                        "ABOUT", job.about(),
                        "ENV", environment(job),
                        "MODEL", lines(model(job)),
                        "PARALLEL", lines(parallel(job)),
                        "TRAINING", lines(training(job)),
                        "VOCAB", job.model().vocab(),
                        "COMMAND", command(job).strip());
        return List.of(new EmittedFile(NAME, Template.fill(NAME, values)));
    }

    private static boolean covers(Job job) {
        boolean optimizer =
                job.optimizer(Optimizer.ADAMW)
                        || job.optimizer(Optimizer.ADAMW_FUSED)
                        || job.optimizer(Optimizer.SGD);
        boolean stage = !job.deepSpeed() || job.layout().data() == DataParallel.ZERO1;
        return job.shapeKnown() && optimizer && stage && !job.offloads();
    }

    private static String command(Job job) {
        String rendezvous =
                job.placement().nodes() == 1
                        ? "--standalone"
                        : "--nnodes="
                                + job.placement().nodes()
                                + " --rdzv-backend=c10d --rdzv-id=gpuflow"
                                + " --rdzv-endpoint=\"${HEAD:?the first node, the same on every node}:29500\"";
        return TorchrunLaunch.torchrun(job, rendezvous);
    }

    private static String environment(Job job) {
        String environment = TorchrunLaunch.environment(job);
        return job.layout().tp() * job.layout().cp() > 1
                ? environment
                        + "\n# So that communication overlaps compute up to Hopper; newer GPUs do not need it.\n"
                        + "export CUDA_DEVICE_MAX_CONNECTIONS=1"
                : environment;
    }

    private static String lines(List<String> arguments) {
        return arguments.stream().map(a -> "  " + a).collect(Collectors.joining("\n"));
    }

    private static List<String> model(Job job) {
        ModelShape m = job.model();
        List<String> all = new ArrayList<>();
        all.add("--num-layers " + m.layers());
        all.add("--hidden-size " + m.hidden());
        all.add("--ffn-hidden-size " + m.ffn());
        all.add("--num-attention-heads " + m.heads());
        all.add("--kv-channels " + m.headDim());
        when(all, m.kvHeads() < m.heads(), "--group-query-attention");
        when(all, m.kvHeads() < m.heads(), "--num-query-groups " + m.kvHeads());
        all.add("--seq-length " + job.workload().seq());
        all.add("--max-position-embeddings " + job.workload().seq());
        ModelShape.Block b = m.block();
        when(all, b.norm() != ModelShape.Norm.LAYER, "--normalization RMSNorm");
        when(all, b.rotaryDim() > 0, "--position-embedding-type rope");
        when(all, m.gated(), "--swiglu");
        when(all, !m.tied(), "--untie-embeddings-and-output-weights");
        when(all, !b.outBias() && !b.mlpBias(), "--disable-bias-linear");
        when(all, b.qkvBias() && !b.outBias(), "--add-qkv-bias");
        when(all, b.qkNorm(), "--qk-layernorm");
        ModelShape.Experts e = m.experts();
        if (e != null) {
            all.add("--num-experts " + e.count());
            all.add("--moe-router-topk " + e.topK());
            all.add("--moe-ffn-hidden-size " + e.ffn());
            when(all, e.shared() > 0, "--moe-shared-expert-intermediate-size " + e.shared());
        }
        return all;
    }

    private static List<String> parallel(Job job) {
        Layout l = job.layout();
        List<String> all = new ArrayList<>();
        all.add("--tensor-model-parallel-size " + l.tp());
        all.add("--pipeline-model-parallel-size " + l.pp());
        all.add("--context-parallel-size " + l.cp());
        when(all, l.sequenceParallel() && l.tp() > 1, "--sequence-parallel");
        when(
                all,
                l.virtualStages() > 1,
                "--num-virtual-stages-per-pipeline-rank " + l.virtualStages());
        when(all, job.model().experts() != null, "--expert-model-parallel-size " + l.ep());
        if (job.fsdp2()) {
            all.add("--use-megatron-fsdp");
            all.add("--data-parallel-sharding-strategy optim_grads_params");
            all.add("--ckpt-format fsdp_dtensor");
        } else if (l.data() == DataParallel.ZERO1) {
            all.add("--use-distributed-optimizer");
            all.add("--overlap-grad-reduce");
            all.add("--overlap-param-gather");
        } else {
            when(all, l.dp() > 1, "--overlap-grad-reduce");
        }
        return all;
    }

    private static List<String> training(Job job) {
        List<String> all = new ArrayList<>();
        all.add("--micro-batch-size " + job.workload().microBatch());
        all.add("--global-batch-size " + job.globalBatch());
        all.add("--train-iters 1000");
        all.add("--lr 3e-4");
        all.add("--optimizer " + (job.optimizer(Optimizer.SGD) ? "sgd" : "adam"));
        // Megatron keeps fp32 copies of bf16 weights, whichever of the two was asked for.
        when(all, job.precision(Precision.MIXED) || job.precision(Precision.BF16), "--bf16");
        when(all, job.precision(Precision.FP16), "--fp16");
        if (job.workload().recompute()) {
            all.add("--recompute-granularity full");
            all.add("--recompute-method uniform");
            all.add("--recompute-num-layers 1");
        }
        return all;
    }

    private static void when(List<String> all, boolean holds, String argument) {
        if (holds) {
            all.add(argument);
        }
    }
}
