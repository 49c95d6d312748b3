package io.gpuflow.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a command line printed, and its exit code. */
record Said(int exit, String out, String err) {
    static Said by(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        try (PrintStream o = new PrintStream(toOut, true, StandardCharsets.UTF_8);
                PrintStream e = new PrintStream(toErr, true, StandardCharsets.UTF_8)) {
            System.setOut(o);
            System.setErr(e);
            int exit = Main.run(args);
            return new Said(
                    exit,
                    toOut.toString(StandardCharsets.UTF_8),
                    toErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
