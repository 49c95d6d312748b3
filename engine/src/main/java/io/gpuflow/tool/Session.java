package io.gpuflow.tool;

import java.util.List;

/**
 * Commands lead a session of their own where the setsid program is there: Ctrl-C then reaches
 * gpuflow alone, which saves the evidence before it ends them, and no command can ask the terminal
 * for a password.
 */
final class Session {
    private static final ProgramLookup SETSID =
            ProgramLookup.find(
                    "setsid", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"), null);

    private Session() {}

    /** What to put before a command; empty where there is no setsid. */
    static List<String> prefix() {
        return SETSID.program() == null ? List.of() : List.of(SETSID.program().toString());
    }

    static boolean own() {
        return SETSID.program() != null;
    }
}
