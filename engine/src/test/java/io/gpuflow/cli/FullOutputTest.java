package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullOutputTest {
    @TempDir Path dir;

    @Test
    void aResultThatTheDiskHasNotTakenIsNoSuccess() throws Exception {
        File full = new File("/dev/full");
        assumeTrue(full.exists(), "no /dev/full here");
        try (RunProcess schema = RunProcess.start(dir, Map.of(), full, "schema")) {
            assertEquals(4, schema.exit(), schema.output());
            assertTrue(schema.output().contains("could not be written"), schema.output());
        }
    }
}
