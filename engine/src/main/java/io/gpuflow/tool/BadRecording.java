package io.gpuflow.tool;

import java.util.List;

/** A recording that can't be replayed, with everything that is wrong with it. */
public final class BadRecording extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    BadRecording(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** One line each: the file, and what is wrong with it. */
    public List<String> problems() {
        return problems;
    }
}
