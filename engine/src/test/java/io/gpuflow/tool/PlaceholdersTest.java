package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A recorded command names no folder of its run. */
class PlaceholdersTest {
    private static String put(String folder, String text) {
        Path path = folder == null ? null : Path.of(folder);
        ToolCall call = new ToolCall(List.of("x"), Map.of(), path, Duration.ZERO);
        return Placeholders.of(call).put(text);
    }

    @Test
    void theFolderIsNamedWhereverItStands() {
        assertEquals("{folder}", put("/runs/1", "/runs/1"));
        assertEquals("--out={folder}/a.json", put("/runs/1", "--out=/runs/1/a.json"));
        assertEquals("{folder}:{folder}/b", put("/runs/1", "/runs/1:/runs/1/b"));
    }

    @Test
    void otherFoldersStay() {
        assertEquals("/runs/12 /x/runs/1", put("/runs/1", "/runs/12 /x/runs/1"));
        assertEquals("/runs/1", put(null, "/runs/1"));
        assertEquals("/a", put("/", "/a"));
        assertEquals("runs/1", put("runs/1", "runs/1"));
    }

    @Test
    void homeIsWhereGpuflowIsInstalled() {
        String home = System.getProperty("gpuflow.home");
        assertEquals("{home}/bench.py", put(null, home + "/bench.py"));
        assertEquals(
                "{folder}/x {home}/y", put(home + "/runs/1", home + "/runs/1/x " + home + "/y"));
    }
}
