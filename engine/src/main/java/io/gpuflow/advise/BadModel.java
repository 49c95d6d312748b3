package io.gpuflow.advise;

import java.util.List;

/** A description from which no model can be made, with everything that is wrong with it. */
public final class BadModel extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    BadModel(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** A sentence each. */
    public List<String> problems() {
        return problems;
    }
}
