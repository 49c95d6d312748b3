package io.gpuflow.flow;

import io.gpuflow.tool.MaskedCopy;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Copies what {@code keep:} names into the record of a run: files that a command wrote in the
 * caller's folder while it ran. Older ones are not its work and are left alone.
 */
final class Kept {
    static final String FOLDER = "keep";

    private static final long MAX_FILE = 256L << 20;
    private static final int MAX_FILES = 200;
    private static final int MAX_VISITED = 100_000;

    /** File systems keep times to the second at worst. */
    private static final long CLOCK_MILLIS = 2000;

    private final Path from;
    private final Path to;
    private final long since;
    private final Collection<String> secrets;
    private final List<String> kept = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private Kept(Path from, Path to, long since, Collection<String> secrets) {
        this.from = from;
        this.to = to;
        this.since = since - CLOCK_MILLIS;
        this.secrets = secrets;
    }

    /**
     * Copies.
     *
     * @param from the folder that the command ran in
     * @param to the attempt's folder
     * @param since when the command began, milliseconds since the epoch
     * @param secrets values that are masked in the copies
     * @return what should be known: globs that matched nothing, files that were left out
     */
    static List<String> copy(
            List<String> globs, Path from, Path to, long since, Collection<String> secrets) {
        Kept kept = new Kept(from, to.resolve(FOLDER), since, secrets);
        for (String glob : globs) {
            kept.copy(glob);
        }
        return kept.notes;
    }

    private void copy(String glob) {
        int before = kept.size();
        try {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
            Files.walkFileTree(start(glob), new Copying(matcher));
        } catch (PatternSyntaxException | InvalidPathException e) {
            notes.add("keep: " + glob + " is not a glob: " + e.getMessage());
            return;
        } catch (IOException e) {
            notes.add("keep: " + glob + ": " + e.getMessage());
            return;
        }
        if (kept.size() == before) {
            notes.add("keep: the step wrote no file that matches " + glob);
        }
    }

    /** The deepest folder that the glob names without wildcards. */
    private Path start(String glob) {
        int wild = glob.replaceFirst("[*?\\[{].*", "").lastIndexOf('/');
        Path start = wild < 0 ? from : from.resolve(glob.substring(0, wild));
        return Files.isDirectory(start) ? start : from;
    }

    private final class Copying extends SimpleFileVisitor<Path> {
        private final PathMatcher matcher;
        private int visited;

        Copying(PathMatcher matcher) {
            this.matcher = matcher;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean runs = folder.getFileName().toString().equals(RunFolder.RUNS);
            return runs ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            if (++visited > MAX_VISITED) {
                notes.add("keep: more than " + MAX_VISITED + " files here; stopped looking");
                return FileVisitResult.TERMINATE;
            }
            Path name = from.relativize(file);
            FileTime changed = attributes.lastModifiedTime();
            if (attributes.isRegularFile()
                    && changed.toMillis() >= since
                    && matcher.matches(name)) {
                keep(file, name, attributes.size());
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        private void keep(Path file, Path name, long size) throws IOException {
            if (size > MAX_FILE || kept.size() >= MAX_FILES) {
                notes.add("keep: " + name + " is left out: too large or too many files");
                return;
            }
            if (!kept.contains(name.toString())) {
                Path copy = to.resolve(name.toString());
                Files.createDirectories(copy.getParent());
                MaskedCopy.copy(file, copy, secrets);
                kept.add(name.toString());
            }
        }
    }
}
