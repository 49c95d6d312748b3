package io.gpuflow.bundle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;

/** The files that are to go into a bundle. Follows no link: it may lead out of what was named. */
final class Found {
    /** Fewer than a reader of archives takes. */
    private static final int MOST = 10_000;

    private static final int DEEPEST = 24;

    /**
     * One file.
     *
     * @param name as it is named below the bundle's folder
     */
    record Item(String name, Path path) {}

    private final List<Item> items = new ArrayList<>();
    private final List<Manifest.Left> left = new ArrayList<>();

    List<Item> items() {
        return items;
    }

    List<Manifest.Left> left() {
        return left;
    }

    /** All files of a run, those first without which the others tell nothing. */
    static Found run(Path folder, String journal, String lock) throws IOException {
        Found found = new Found();
        found.below(folder, folder);
        found.items.removeIf(i -> i.name().equals(lock));
        found.items.sort(
                Comparator.comparing((Item i) -> !i.name().equals(journal))
                        .thenComparing(i -> !BundleFile.isFacts(i.name()))
                        .thenComparing(Item::name));
        return found;
    }

    /** Files and everything in folders; a folder keeps its name. */
    static Found logs(List<Path> paths) throws IOException {
        Found found = new Found();
        for (Path path : paths) {
            Path named = path.toAbsolutePath().normalize();
            Path from = named.getParent() == null ? named : named.getParent();
            found.below(Files.isSymbolicLink(path) ? path.toRealPath() : named, from);
        }
        found.items.sort(Comparator.comparing(Item::name));
        return found;
    }

    private void below(Path start, Path from) throws IOException {
        Files.walkFileTree(
                start,
                EnumSet.noneOf(java.nio.file.FileVisitOption.class),
                DEEPEST,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes kind) {
                        take(file, name(from, file), kind);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        left.add(new Manifest.Left(name(from, file), "can't be read", true));
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static String name(Path from, Path file) {
        return file.startsWith(from)
                ? from.relativize(file).toString()
                : file.getFileName().toString();
    }

    private void take(Path file, String name, BasicFileAttributes kind) {
        if (kind.isDirectory()) {
            left.add(new Manifest.Left(name, "more than " + DEEPEST + " folders deep", true));
        } else if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            left.add(new Manifest.Left(name, "a link, or no plain file", false));
        } else if (items.size() >= MOST) {
            left.add(new Manifest.Left(name, "more than " + MOST + " files", true));
        } else {
            items.add(new Item(name, file));
        }
    }
}
