package io.gpuflow.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the workflow that was named. */
final class WorkflowFile {
    private WorkflowFile() {}

    /**
     * The path itself when there is such a file, else the same below gpuflow's own folder, so that
     * {@code workflows/setup.yaml} is found from anywhere. When there is neither, the path itself.
     */
    static Path find(Path named) {
        String home = System.getProperty("gpuflow.home");
        if (home == null || named.isAbsolute() || Files.exists(named)) {
            return named;
        }
        Path shipped = Path.of(home).resolve(named).normalize();
        return shipped.startsWith(home) && Files.isRegularFile(shipped) ? shipped : named;
    }
}
