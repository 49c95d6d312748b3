package io.gpuflow.facts;

/**
 * Something that was asked and could not be told. Not known is not false: no rule may read it as an
 * absence.
 *
 * @param what simple name of the fact type that is missing ({@code Gpu}, {@code NvLinkState}), or
 *     {@code Type.component} when only that component is
 * @param why the reason, in words a user can act on: "nvidia-smi is not installed"
 */
public record Unknown(String what, String why) implements Fact {}
