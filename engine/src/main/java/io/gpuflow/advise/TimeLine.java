package io.gpuflow.advise;

/**
 * One line of the arithmetic of a step's time.
 *
 * @param text what it is
 * @param seconds of one optimizer step
 * @param formula how it comes about, with units
 */
public record TimeLine(String text, double seconds, String formula) {}
