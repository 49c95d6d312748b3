package io.gpuflow.facts;

/**
 * Where a fact came from.
 *
 * @param text a file name, or a command as typed
 * @param line line in that file or output, from 1; 0 when the fact rests on the whole of it
 * @param excerpt the line itself, or empty
 */
public record Source(String text, int line, String excerpt) {
    public static Source of(String text) {
        return new Source(text, 0, "");
    }

    @Override
    public String toString() {
        return line > 0 ? text + ":" + line : text;
    }
}
