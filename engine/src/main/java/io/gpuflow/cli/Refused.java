package io.gpuflow.cli;

import java.util.List;

/** A command that can't be carried out as it was given, with what is wrong and the exit code. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exit;
    private final transient List<String> problems;

    Refused(int exit, String problem) {
        this(exit, List.of(problem));
    }

    Refused(int exit, List<String> problems) {
        super(String.join("\n", problems));
        this.exit = exit;
        this.problems = List.copyOf(problems);
    }

    int exit() {
        return exit;
    }

    /** Tells the problems in the name of the verb and returns the exit code. */
    int told(String verb) {
        problems.forEach(p -> System.err.println("gpuflow " + verb + ": " + p));
        return exit;
    }

    /** A sentence each. */
    List<String> problems() {
        return problems;
    }
}
