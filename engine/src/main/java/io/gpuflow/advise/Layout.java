package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * How a model and its batch are divided over GPUs. The world size is {@code dp · tp · pp · cp}; the
 * experts of a mixture are divided over {@code ep} of the ranks that otherwise divide data.
 *
 * @param dp data-parallel ranks, all of them, whatever they divide
 * @param shard ranks that divide the states among them: {@code dp}, or a divisor of it when the
 *     states are replicated across groups (HSDP); 1 for single and DDP
 * @param tp tensor-parallel ranks
 * @param sequenceParallel norms and residuals are divided over the tensor-parallel ranks too
 * @param pp pipeline stages
 * @param virtualStages model chunks of a stage: 1 is the 1F1B schedule, more is interleaved
 * @param cp context-parallel ranks: each has a part of every sequence
 * @param ep expert-parallel ranks
 * @param accumulation micro-steps in an optimizer step
 */
public record Layout(
        DataParallel data,
        int dp,
        int shard,
        int tp,
        boolean sequenceParallel,
        int pp,
        int virtualStages,
        int cp,
        int ep,
        int accumulation,
        Offload optimizerOffload,
        Offload weightOffload) {

    /** Where DeepSpeed or FSDP2 keeps states instead of in the GPU's memory. */
    public enum Offload {
        NONE,
        CPU,
        NVME
    }

    public static Layout single() {
        return of(DataParallel.NONE, 1);
    }

    /** All GPUs divide data, in one of the ways. */
    public static Layout of(DataParallel data, int gpus) {
        int shard = data == DataParallel.NONE || data == DataParallel.DDP ? 1 : gpus;
        return new Layout(data, gpus, shard, 1, false, 1, 1, 1, 1, 1, Offload.NONE, Offload.NONE);
    }

    public int world() {
        return dp * tp * pp * cp;
    }

    /** Micro-batches whose activations the first pipeline stage holds at a time. */
    public int inFlight() {
        int most = virtualStages > 1 ? pp + (pp - 2 + virtualStages) / virtualStages : pp;
        return pp == 1 ? 1 : Math.min(most, accumulation);
    }

    public boolean hybrid() {
        return shard > 1 && shard < dp;
    }

    /** The id of {@code --strategy} and of the JSON: single, ddp, hsdp, zero3-cpu, tp+fsdp2 … */
    public String strategy() {
        List<String> parts = new ArrayList<>();
        add(parts, tp, "tp");
        add(parts, pp, "pp");
        add(parts, cp, "cp");
        add(parts, ep, "ep");
        if (dp > 1 || parts.isEmpty()) {
            parts.add(dataWord());
        }
        return String.join("+", parts);
    }

    /** What {@code --strategy} takes for exactly this, on as many GPUs: tp8+sp+fsdp2, hsdp8 … */
    public String option() {
        List<String> parts = new ArrayList<>();
        add(parts, tp, "tp" + tp);
        add(parts, sequenceParallel ? tp : 1, "sp");
        add(parts, pp, "pp" + pp);
        add(parts, cp, "cp" + cp);
        add(parts, ep, "ep" + ep);
        if (dp > 1 || parts.isEmpty()) {
            parts.add(data.fsdp2() && hybrid() ? "hsdp" + shard : dataWord());
        }
        return String.join("+", parts);
    }

    private static void add(List<String> parts, int ranks, String word) {
        if (ranks > 1) {
            parts.add(word);
        }
    }

    private String dataWord() {
        String word = data.fsdp2() && hybrid() ? "hsdp" : data.word();
        if (weightOffload != Offload.NONE) {
            return word + "-" + weightOffload.name().toLowerCase(java.util.Locale.ROOT);
        }
        return optimizerOffload == Offload.NONE
                ? word
                : word + "-optimizer-" + optimizerOffload.name().toLowerCase(java.util.Locale.ROOT);
    }

    public Layout withAccumulation(int steps) {
        return new Layout(
                data,
                dp,
                shard,
                tp,
                sequenceParallel,
                pp,
                virtualStages,
                cp,
                ep,
                steps,
                optimizerOffload,
                weightOffload);
    }
}
