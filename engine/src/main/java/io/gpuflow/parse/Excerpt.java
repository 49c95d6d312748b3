package io.gpuflow.parse;

/** A line short enough to quote. */
final class Excerpt {
    private static final int MAX = 300;

    private Excerpt() {}

    static String of(String line) {
        String text = line.strip();
        return text.length() <= MAX ? text : text.substring(0, MAX) + "…";
    }
}
