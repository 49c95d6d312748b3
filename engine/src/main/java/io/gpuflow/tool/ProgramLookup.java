package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/**
 * Finds a program as execvp would, and says in words why there is none: the operating system has
 * one message, "No such file or directory", for a program, an interpreter and a folder that are
 * missing.
 *
 * @param program the file to start, or null
 * @param missing true when it is not there or may not be run, false when it is there and broken
 * @param why the reason when there is none
 * @param note something odd about the one that was found, or null
 */
record ProgramLookup(Path program, boolean missing, String why, String note) {

    /**
     * Where administrators' tools and vendors' stacks live that an ordinary user's PATH often
     * lacks.
     */
    private static final List<String> BEYOND_PATH =
            List.of(
                    "/usr/local/sbin",
                    "/usr/sbin",
                    "/sbin",
                    "/usr/local/bin",
                    "/usr/bin",
                    "/bin",
                    "/opt/rocm/bin",
                    "/usr/lib/wsl/lib");

    static ProgramLookup find(String name, String path, Path folder) {
        try {
            return name.contains("/") ? at(name, folder) : onPath(name, path);
        } catch (InvalidPathException e) {
            return none(true, "the program's name is not a valid file name: " + e.getReason());
        }
    }

    private static ProgramLookup at(String name, Path folder) {
        Path file = folder == null ? Path.of(name) : folder.resolve(name);
        if (!Files.exists(file)) {
            String link = Files.isSymbolicLink(file) ? " is a link to nothing" : " does not exist";
            return none(true, file + link);
        }
        String refusal = refusal(file);
        return refusal == null ? startable(file, null) : none(true, refusal);
    }

    private static ProgramLookup onPath(String name, String path) {
        if (name.isEmpty()) {
            return none(true, "the command has no program");
        }
        String refusal = null;
        for (String folder : path.split(":")) {
            // An empty entry means the working folder; a program lying there by chance is not
            // meant.
            if (!folder.startsWith("/")) {
                continue;
            }
            Path file = Path.of(folder, name);
            if (Files.isDirectory(file) || !Files.exists(file)) {
                continue;
            }
            String no = refusal(file);
            if (no == null) {
                return startable(file, null);
            }
            refusal = refusal == null ? no : refusal;
        }
        for (String folder : BEYOND_PATH) {
            Path file = Path.of(folder, name);
            if (Files.isRegularFile(file) && refusal(file) == null) {
                return startable(file, file + " was taken, which is not on PATH");
            }
        }
        return none(true, refusal != null ? refusal : name + " is not installed, or not on PATH");
    }

    /** Why the file may not be run, or null. */
    private static String refusal(Path file) {
        if (Files.isDirectory(file)) {
            return file + " is a folder, not a program";
        }
        if (!Files.isRegularFile(file)) {
            return file + " is not a file";
        }
        if (Files.isExecutable(file)) {
            return null;
        }
        String mount = Mounts.noexec(file);
        if (mount != null && anyExecuteBit(file)) {
            return file + " can't be run: " + mount + " is mounted noexec";
        }
        return file + " is not executable for this user (chmod +x would make it so)";
    }

    private static boolean anyExecuteBit(Path file) {
        try {
            Set<PosixFilePermission> bits = Files.getPosixFilePermissions(file);
            return bits.contains(PosixFilePermission.OWNER_EXECUTE)
                    || bits.contains(PosixFilePermission.GROUP_EXECUTE)
                    || bits.contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static ProgramLookup startable(Path file, String note) {
        String interpreter = interpreter(file);
        if (interpreter != null && !Files.exists(Path.of(interpreter), new LinkOption[0])) {
            return none(false, file + " needs " + interpreter + ", which does not exist");
        }
        return new ProgramLookup(file.toAbsolutePath(), false, null, note);
    }

    /** What a script's first line names, or null for anything else. */
    private static String interpreter(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String head = new String(in.readNBytes(256), StandardCharsets.ISO_8859_1);
            if (!head.startsWith("#!")) {
                return null;
            }
            String[] words = head.substring(2).split("\n", 2)[0].strip().split("[ \t]+", 2);
            return words[0].startsWith("/") ? words[0] : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static ProgramLookup none(boolean missing, String why) {
        return new ProgramLookup(null, missing, why, null);
    }
}
