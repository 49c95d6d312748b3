package io.gpuflow.scan;

import java.util.regex.Pattern;

/**
 * Lines that launchers, frameworks and NCCL print while a job starts, and after each of which a job
 * that works prints more within moments. A log that ends in one shows neither work nor failure.
 */
final class StartUp {
    private static final Pattern LINE =
            Pattern.compile(
                    // torchrun, torchelastic, the store
                    "Setting OMP_NUM_THREADS environment variable"
                            + "|Starting elastic_operator with launch configs"
                            + "|Starting worker group|Rendezvous'ing worker group"
                            + "|Added key: store_based_barrier_key"
                            + "|Waiting in store based barrier|init nccl context nranks: "
                            + "|The client socket has failed to connect to"
                            + "|returned Connection .{0,20}, retrying"
                            // Lightning, DeepSpeed, Megatron, the reference scripts of torchvision
                            + "|GLOBAL_RANK: \\d+, MEMBER: \\d+/\\d+"
                            + "|All distributed processes registered\\. Starting with"
                            + "|Initializing TorchBackend in DeepSpeed|\\] cdb=None"
                            + "|initializing torch distributed|\\| distributed init \\(rank "
                            // vLLM, SGLang
                            + "|(?:vLLM|sglang) is using nccl==|Init torch distributed begin"
                            + "|distributed_init_method=|\\[Gloo\\] Rank \\d+ is connected to"
                            // NCCL and RCCL up to the communicator's first word
                            + "|\\bR?NCCL version|cudaDriverVersion \\d|Bootstrap ?: Using"
                            + "|NCCL INFO .*set by environment to|NET/Plugin\\b|Using network "
                            + "|NET/(?:IB|Socket|OFI) ?: ?Using|DMA-BUF is available"
                            + "|(?:Assigned|Initialized) NET plugin|Init START");

    /** The ranks have met, and a path between two of them is named. */
    private static final Pattern CHANNEL =
            Pattern.compile(
                    "(?:Channel|Ring) \\d+\\S* : .{0,80} via |Connected all (?:rings|trees)");

    private StartUp() {}

    static boolean connects(String line) {
        return CHANNEL.matcher(line).find();
    }

    static boolean ends(String line) {
        return LINE.matcher(line).find();
    }
}
