package io.gpuflow.tool;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Lists what an absolute pattern matches. {@code *} and {@code ?} stay within a name, {@code [0-9]}
 * is a choice; a name that begins with a dot is matched only by a pattern that does.
 */
final class Glob {
    private static final int MOST = 20_000;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private Glob() {}

    static List<String> list(String pattern) throws Tools.NotKnown {
        if (!pattern.startsWith("/")) {
            throw new Tools.NotKnown(pattern + " is not an absolute pattern");
        }
        try {
            return Bounded.within(LIMIT, () -> listNow(pattern));
        } catch (TimeoutException e) {
            throw new Tools.NotKnown(pattern + " did not answer within " + Words.of(LIMIT));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new Tools.NotKnown(
                    cause instanceof Tools.NotKnown ? cause.getMessage() : pattern + ": " + cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Tools.NotKnown("the run was interrupted");
        }
    }

    private static List<String> listNow(String pattern) throws Tools.NotKnown {
        List<Path> found = List.of(Path.of("/"));
        for (String name : pattern.split("/+")) {
            if (name.isEmpty()) {
                continue;
            }
            List<Path> deeper = new ArrayList<>();
            for (Path folder : found) {
                addMatches(folder, name, deeper);
                if (deeper.size() > MOST) {
                    throw new Tools.NotKnown(pattern + " matches more than " + MOST + " files");
                }
            }
            found = deeper;
        }
        return found.stream().map(Path::toString).sorted().toList();
    }

    private static void addMatches(Path folder, String name, List<Path> into)
            throws Tools.NotKnown {
        if (!Wildcard.isPattern(name)) {
            addIfThere(folder.resolve(name), into);
            return;
        }
        Wildcard wildcard = new Wildcard(name);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (wildcard.matches(file.getFileName().toString())) {
                    into.add(file);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // Nothing can match below it.
            return;
        } catch (IOException e) {
            throw new Tools.NotKnown(folder + ": " + Words.of(e));
        } catch (DirectoryIteratorException e) {
            throw new Tools.NotKnown(folder + ": " + Words.of(e.getCause()));
        }
    }

    private static void addIfThere(Path file, List<Path> into) throws Tools.NotKnown {
        try {
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            into.add(file);
        } catch (NoSuchFileException e) {
            // No match.
            return;
        } catch (IOException e) {
            if (!Words.isBelowAFile(e)) {
                throw new Tools.NotKnown(file + ": " + Words.of(e));
            }
        }
    }
}
