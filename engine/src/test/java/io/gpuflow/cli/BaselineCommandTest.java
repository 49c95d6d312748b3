package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineCommandTest {
    private static final String HEALTHY = "examples/h200x2-live/recording";
    private static final String SLOW = "examples/h200x2-p2p-disabled/recording";

    @TempDir Path folder;

    @Test
    void savesShowsAndCompares() throws IOException {
        Path file = folder.resolve("b.json");
        Said saved = Said.by("baseline", "save", "--machine", HEALTHY, "--to", file.toString());
        assertEquals(0, saved.exit(), saved.err());
        assertTrue(saved.out().contains("bandwidth all_reduce on 2 GPUs: 339 GB/s over P2P"));

        Said shown = Said.by("baseline", "show", "--from", file.toString());
        assertTrue(shown.out().contains("version   driver 580.159.04"), shown.out());

        Said same = Said.by("baseline", "compare", "--machine", HEALTHY, "--from", file.toString());
        assertEquals(0, same.exit(), same.out());
        assertTrue(same.out().contains(" 0 changed, 0 could not be compared"), same.out());

        Said worse = Said.by("baseline", "compare", "--machine", SLOW, "--from", file.toString());
        assertEquals(1, worse.exit(), worse.out());
        assertTrue(worse.out().contains("339 GB/s → 25.1 GB/s  (-92.6 %)"), worse.out());
        assertTrue(worse.out().contains("[busbw-below-baseline]"), worse.out());
        assertTrue(worse.out().contains("[transport-differs-from-baseline]"), worse.out());
        assertFalse(worse.out().contains("[p2p-disabled-by-setting]"), "only what has changed");
    }

    @Test
    void aRunComparesByItself() throws IOException {
        Path file = folder.resolve("b.json");
        Said.by("baseline", "save", "--machine", HEALTHY, "--to", file.toString());
        Said run =
                Said.by(
                        "run",
                        "workflows/setup.yaml",
                        "--machine",
                        SLOW,
                        "--baseline",
                        file.toString(),
                        "--run-dir",
                        folder.resolve("run").toString());
        assertEquals(0, run.exit(), run.err());
        assertTrue(run.out().contains("92.6 % less than in the baseline"), run.out());
        Said explained =
                Said.by(
                        "explain",
                        "busbw-below-baseline",
                        "--run",
                        folder.resolve("run").toString());
        assertTrue(explained.out().contains(file + ":"), explained.out());
    }

    @Test
    void anIllRunMakesNoBaseline() {
        Path file = folder.resolve("b.json");
        Said said = Said.by("baseline", "save", "--machine", SLOW, "--to", file.toString());
        assertEquals(1, said.exit());
        assertTrue(said.err().contains("not healthy"), said.err());
        assertFalse(Files.exists(file));
        Said anyway =
                Said.by("baseline", "save", "--machine", SLOW, "--anyway", "--to", file.toString());
        assertEquals(0, anyway.exit(), anyway.err());
    }

    @Test
    void wrongUseIsToldWithTheNextStep() throws IOException {
        assertEquals(2, Said.by("baseline").exit());
        assertEquals(2, Said.by("baseline", "show", "--from", "/nothere").exit());
        Path bad = Files.writeString(folder.resolve("bad.json"), "{\n  \"gpus\": 3\n}");
        Said said = Said.by("run", "workflows/setup.yaml", "--baseline", bad.toString());
        assertEquals(2, said.exit());
        assertTrue(said.err().contains(bad + ":2"), said.err());
        Said both = Said.by("run", "x.yaml", "--baseline", bad.toString(), "--no-baseline");
        assertEquals(2, both.exit());
        assertEquals(2, Said.by("baseline", "save", "--run", "nosuchrun").exit());
    }
}
