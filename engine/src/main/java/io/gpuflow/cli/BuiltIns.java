package io.gpuflow.cli;

import io.gpuflow.flow.Action;

/** The built-in steps by the name that {@code uses:} takes. To add one, add its line. */
final class BuiltIns {
    private BuiltIns() {}

    /** Loads only the one that is asked for. */
    static Action named(String name) {
        return switch (name) {
            default -> throw new IllegalArgumentException("there is no built-in step " + name);
        };
    }
}
