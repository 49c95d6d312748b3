package io.gpuflow.tool;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder of one call, named so that a person finds it: {@code 0007-nvidia-smi-topo--m}. */
final class CallFolder {
    private static final int LONGEST = 60;

    private CallFolder() {}

    /** Makes the folder; another one if the name is taken. */
    static Path create(Path parent, int number, List<String> argv) throws IOException {
        Files.createDirectories(parent);
        for (int next = number; ; next++) {
            try {
                return Files.createDirectory(parent.resolve(name(next, argv)));
            } catch (FileAlreadyExistsException e) {
                continue;
            }
        }
    }

    /** The number in a folder's name. */
    static int number(Path folder) {
        String name = folder.getFileName().toString();
        return Integer.parseInt(name.split("-", 2)[0]);
    }

    static String name(int number, List<String> argv) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < argv.size() && words.length() < LONGEST; i++) {
            words.append('-').append(i == 0 ? baseName(argv.get(0)) : argv.get(i));
        }
        String safe = words.toString().replaceAll("[^A-Za-z0-9._-]", "_");
        return String.format("%04d", number)
                + (safe.length() > LONGEST ? safe.substring(0, LONGEST) : safe);
    }

    static String baseName(String program) {
        return program.substring(program.lastIndexOf('/') + 1);
    }
}
