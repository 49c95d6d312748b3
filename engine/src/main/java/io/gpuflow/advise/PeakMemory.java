package io.gpuflow.advise;

import java.util.List;

/**
 * The memory of the GPU that needs most, at the moment of a step when it needs most. Bytes.
 *
 * @param states weights, gradients and optimizer states that exist at that moment
 * @param activations kept for the backward pass, without the output layer's
 * @param logits the output layer's results, the loss's copies of them and their gradients
 * @param temporary everything else that lives for a moment: gathered weights, communication
 *     buffers, the optimizer step's copies, gradients of activations
 * @param allocated the sum of the four: what torch.cuda.max_memory_allocated() reports
 * @param reserved what the caching allocator takes for it, as in max_memory_reserved()
 * @param overhead outside of the allocator: CUDA context, libraries, NCCL's buffers
 * @param total reserved and overhead: what the GPU must have
 * @param phase when the peak arises: forward, backward, optimizer step
 * @param lines the arithmetic, for a person
 */
public record PeakMemory(
        long states,
        long activations,
        long logits,
        long temporary,
        long allocated,
        long reserved,
        long overhead,
        long total,
        String phase,
        List<Line> lines) {

    /**
     * One line of the arithmetic.
     *
     * @param text what it is
     * @param formula how it comes about, with units
     */
    public record Line(String text, long bytes, String formula) {}
}
