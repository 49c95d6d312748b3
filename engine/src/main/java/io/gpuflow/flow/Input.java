package io.gpuflow.flow;

import java.util.List;

/**
 * A value that whoever runs the workflow may give, with {@code -i name=value}.
 *
 * @param required true when it has no default: a run without it is refused
 * @param fallback the value when none is given, plain; null for {@code default: none}
 * @param choices the only values allowed; empty for any
 * @param help one line, or empty
 * @param secret true when its value must never be written or shown
 */
public record Input(
        String name,
        Type type,
        boolean required,
        Object fallback,
        List<Object> choices,
        String help,
        boolean secret) {

    /** The same under another name. */
    public Input named(String other) {
        return new Input(other, type, required, fallback, choices, help, secret);
    }

    /** What a value must look like. */
    public enum Type {
        TEXT,
        INT,
        NUMBER,
        FLAG,
        /** A path, relative to the caller's folder. */
        FILE,
        /** Texts, separated by commas on the command line. */
        LIST,
        DURATION;

        /** The word in the file. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
