package io.gpuflow.facts;

/**
 * A version of this machine's baseline.
 *
 * @param name driver, kernel, torch, or the name of a {@link Software}
 * @param saved day of the baseline
 */
public record BaselineSoftware(String name, String version, String saved) implements Fact {}
