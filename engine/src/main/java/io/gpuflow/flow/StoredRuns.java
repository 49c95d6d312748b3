package io.gpuflow.flow;

import io.gpuflow.bundle.BundleFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds runs of gpuflow where logs could be, too: folders of runs and bundles of them. */
final class StoredRuns {
    /** Runs that are looked for in a folder of them. */
    private static final int MOST = 64;

    private StoredRuns() {}

    /** The run that a folder or bundle is, or the runs in a folder that holds nothing else. */
    static List<Path> at(Path path) {
        if (isRun(path)) {
            return List.of(path);
        }
        List<Path> runs = new ArrayList<>();
        if (Files.isDirectory(path)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path child : children) {
                    if (!isRun(child) || runs.size() == MOST) {
                        return List.of();
                    }
                    runs.add(child);
                }
            } catch (IOException | DirectoryIteratorException e) {
                return List.of();
            }
        }
        runs.sort(null);
        return runs;
    }

    private static boolean isRun(Path path) {
        return Files.exists(path.resolve(RunFolder.JOURNAL)) || BundleFile.is(path);
    }
}
