package io.gpuflow.facts;

/**
 * Something that was asked and answered in full: facts of this type that are not here do not exist.
 * The opposite of {@link Unknown}; without it, the absence of facts says nothing.
 *
 * @param what simple name of the fact type ({@code KernelEvent}, {@code GpuProcess}, {@code Nic})
 */
public record Known(String what) implements Fact {}
