/**
 * What torch would allocate in a training step, by running the step without computing anything.
 *
 * <p>{@code Decoder}, {@code AttentionPass} and {@code FeedForwardPass} say which operations a
 * model carries out, {@code Ops}, {@code Norms} and {@code AttentionKernel} what each allocates and
 * saves, {@code Tape} what its backward does, {@code Keeping} where weights are and how they move
 * (DDP, FSDP2, ZeRO), {@code OptimizerStep} what optimizers keep, and {@code CachingAllocator}
 * hands the memory out.
 */
package io.gpuflow.advise.memory;
