package io.gpuflow.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the commands of a file, a line each, in one JVM. Packing does this so that the classes which
 * users' commands load are archived; what the commands print or find does not matter here.
 */
public final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            int code = Main.run(line.trim().split("\\s+"));
            System.setOut(out);
            System.out.println("rehearsed (exit " + code + "): " + line);
        }
    }
}
