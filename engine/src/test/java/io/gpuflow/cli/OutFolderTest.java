package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emitted files overwrite nothing, and a policy's words find the strategies they mean. */
class OutFolderTest {
    @TempDir Path folder;

    @Test
    void nothingIsOverwritten() throws IOException {
        Path out = folder.resolve("new");
        EmittedFile script = new EmittedFile("launch.sh", "#!/bin/sh\n");
        OutFolder.write(out, List.of(script));
        OutFolder.write(out, List.of(script)); // the same again is no conflict
        assertTrue(Files.isExecutable(out.resolve("launch.sh")));
        List<EmittedFile> other =
                List.of(new EmittedFile("a.json", "{}"), new EmittedFile("launch.sh", "other"));
        IOException e = assertThrows(IOException.class, () -> OutFolder.write(out, other));
        assertTrue(e.getMessage().contains("not overwritten"), e.getMessage());
        assertEquals("#!/bin/sh\n", Files.readString(out.resolve("launch.sh")));
        assertFalse(Files.exists(out.resolve("a.json")));
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThrows(IOException.class, () -> OutFolder.write(file, List.of(script)));
    }

    @Test
    void aPolicyForbidsFamiliesOfStrategies() {
        Layout fsdp = Layout.of(DataParallel.FSDP2_NO_RESHARD, 8);
        Layout ddp = Layout.of(DataParallel.DDP, 8);
        assertTrue(PlanJudge.forbids("strategy=fsdp", fsdp));
        assertFalse(PlanJudge.forbids("strategy=fsdp", ddp));
        assertTrue(PlanJudge.forbids("strategy=ddp", ddp));
        assertTrue(PlanJudge.forbids("strategy=zero", Layout.of(DataParallel.ZERO1, 8)));
        assertFalse(PlanJudge.forbids("NCCL_P2P_DISABLE", ddp));
    }
}
