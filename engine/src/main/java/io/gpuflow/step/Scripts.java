package io.gpuflow.step;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The Python scripts of the steps. They are copied into the folder of the attempt that runs them,
 * so that the record of a run holds what was run and a person can run it again by hand.
 */
final class Scripts {
    static final String SMOKE = "gpuflow_smoke.py";
    static final String BENCH = "gpuflow_bench.py";
    static final String LAUNCH = "gpuflow_launch.py";
    private static final String RANK = "gpuflow_rank.py";

    private Scripts() {}

    /** Puts a script and what it imports into the folder. */
    static void put(Path folder, String script) throws IOException {
        for (String name : new String[] {script, RANK, LAUNCH}) {
            try (InputStream in = Scripts.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IOException(
                            "the installation is incomplete: " + name + " is missing");
                }
                Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
