package io.gpuflow.tool;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;

/** The files that a command wrote into its folder and its caller reads back, in a recording. */
final class KeptFiles {
    static final String FOLDER = "files";

    private static final int MOST = 50_000;
    private static final int DEEPEST = 32;
    static final long LARGEST = 256L << 20;
    private static final long LARGEST_SUM = 1L << 30;

    private KeptFiles() {}

    /**
     * Copies what matches into the recording, without secrets.
     *
     * @return what was not copied and why, one line each
     */
    static List<String> take(
            Path from, List<String> globs, Path callFolder, Collection<String> secrets)
            throws IOException {
        List<String> left = new ArrayList<>();
        if (globs.isEmpty() || from == null) {
            return left;
        }
        long[] sum = {0};
        for (Path file : below(from)) {
            Path name = from.relativize(file);
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            if (globs.stream().noneMatch(glob -> matches(glob, name))) {
                continue;
            }
            sum[0] += Files.size(file);
            if (Files.size(file) > LARGEST || sum[0] > LARGEST_SUM) {
                left.add(name + " is too large for the recording");
                continue;
            }
            Path to = callFolder.resolve(FOLDER).resolve(name.toString());
            Files.createDirectories(to.getParent());
            MaskedCopy.copy(file, to, secrets);
        }
        return left;
    }

    /** Each name of the path against each name of the glob. */
    static boolean matches(String glob, Path path) {
        String[] names = glob.split("/");
        if (names.length != path.getNameCount()) {
            return false;
        }
        for (int i = 0; i < names.length; i++) {
            if (!new Wildcard(names[i]).matches(path.getName(i).toString())) {
                return false;
            }
        }
        return true;
    }

    /** Puts the files of a recorded call where its caller looks for them. */
    static void putBack(RecordingFolder recording, Path callFolder, Path to) throws IOException {
        Path from = callFolder.resolve(FOLDER);
        for (Path file : below(from)) {
            recording.check(file, LARGEST);
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Everything below a folder that is not itself a folder, links included but not followed: they
     * lead out of it or in a circle. Empty when there is no such folder.
     *
     * @throws IOException when there are too many
     */
    static List<Path> below(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Files.exists(folder, LinkOption.NOFOLLOW_LINKS) ? List.of(folder) : files;
        }
        Files.walkFileTree(
                folder,
                EnumSet.noneOf(FileVisitOption.class),
                DEEPEST,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes kind)
                            throws IOException {
                        if (files.size() == MOST) {
                            throw new IOException("more than " + MOST + " files");
                        }
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        files.sort(null);
        return files;
    }
}
