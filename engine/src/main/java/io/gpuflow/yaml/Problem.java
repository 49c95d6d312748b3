package io.gpuflow.yaml;

/**
 * Something wrong in a file.
 *
 * @param width characters it concerns, at least 1
 * @param line the source line, or empty when there is none to show
 * @param says what is wrong: one line
 * @param next what was expected or what to do: one line, or empty
 */
public record Problem(Position at, int width, String line, String says, String next) {}
