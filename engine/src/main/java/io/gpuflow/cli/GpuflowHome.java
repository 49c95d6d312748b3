package io.gpuflow.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where gpuflow's own workflows, rules and examples lie: the clone, or the unpacked archive. */
final class GpuflowHome {
    private GpuflowHome() {}

    /**
     * The path itself when it exists, else the same below gpuflow's own folder, so that {@code
     * workflows/setup.yaml} is found from anywhere. When neither exists, the path itself.
     */
    static Path find(Path named) {
        String home = System.getProperty("gpuflow.home");
        if (home == null || named.isAbsolute() || Files.exists(named)) {
            return named;
        }
        Path shipped = Path.of(home).resolve(named).normalize();
        return shipped.startsWith(home) && Files.exists(shipped) ? shipped : named;
    }
}
