package io.gpuflow.facts;

/**
 * A value that a site took out of the output of a tool of its own, with {@code extract:}.
 *
 * @param from name of the parser, or id of the step that extracts it itself
 * @param number the value when it is a number, true is 1, false 0; null when it is none or not
 *     known
 * @param text the value as text; null when it could not be taken out
 */
public record OwnValue(String from, String name, Double number, String text) implements Fact {}
