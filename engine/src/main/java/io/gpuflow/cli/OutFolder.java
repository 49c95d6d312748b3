package io.gpuflow.cli;

import io.gpuflow.advise.Candidate.EmittedFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes files into a folder of the user's and overwrites none. */
final class OutFolder {
    private OutFolder() {}

    /**
     * All of the files, or none when one of them is there with another content.
     *
     * @throws IOException with a reason that a user can act on
     */
    static void write(Path folder, List<EmittedFile> files) throws IOException {
        List<EmittedFile> wanted = new ArrayList<>();
        for (EmittedFile file : files) {
            Path path = folder.resolve(file.name());
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                wanted.add(file);
            } else if (!same(path, file.text())) {
                throw new IOException(
                        path
                                + " is there with another content and is not overwritten; name"
                                + " another folder, or move it away");
            }
        }
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(folder + " is no folder");
        }
        for (EmittedFile file : wanted) {
            Path path = folder.resolve(file.name());
            Files.writeString(path, file.text(), StandardOpenOption.CREATE_NEW);
            if (file.text().startsWith("#!")) {
                executable(path);
            }
        }
    }

    private static boolean same(Path path, String text) throws IOException {
        return Files.isRegularFile(path)
                && Files.size(path) < 1 << 20
                && Files.readString(path).equals(text);
    }

    private static void executable(Path path) throws IOException {
        try {
            Set<PosixFilePermission> all = EnumSet.copyOf(Files.getPosixFilePermissions(path));
            all.add(PosixFilePermission.OWNER_EXECUTE);
            Files.setPosixFilePermissions(path, all);
        } catch (UnsupportedOperationException e) {
            // A file system without permissions: it runs by naming the interpreter.
        }
    }
}
