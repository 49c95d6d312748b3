package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that quote failures and steps and are no log get neither a cause nor a clean bill. */
class NotJudgedTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CHANGELOG.md",
                "LICENSE",
                "gpuflow",
                "pom.xml",
                "rules/README.md",
                "engine/drills/train.py",
                "engine/samples/planted/README.md",
                "engine/decisions/0041-one-cause-earliest-and-able.md",
                "engine/src/main/java/io/gpuflow/scan/StartUp.java",
                "engine/src/main/java/io/gpuflow/scan/Progress.java",
                "engine/src/test/java/io/gpuflow/flow/Noise.java"
            })
    void oursAreDocuments(String file) {
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(HOME.resolve(file)).outcome());
    }

    @Test
    void aProgramThatRaisesWhatALogWouldTellIsNoFault() throws IOException {
        Diagnosis d =
                judge(
                        write(
                                "train.py",
                                """
                                import torch
                                import torch.distributed as dist

                                def main():
                                    dist.init_process_group("nccl")
                                    for step in range(100):
                                        loss = model(next(batches))
                                        if loss.isnan():
                                            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
                                        print(f"step {step} loss {loss}")
                                    return 0

                                if __name__ == "__main__":
                                    main()
                                """));
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
        assertTrue(d.verdicts().isEmpty());
        assertEquals("is source code, no log", d.unread().get(0).why());
    }

    @Test
    void aPageThatQuotesALogIsNoFault() throws IOException {
        Diagnosis d =
                judge(
                        write(
                                "notes.md",
                                """
                                # What to do when NCCL hangs

                                Most of the time one of the ranks has died, and the others wait for it.
                                You will find a line like this in the log of the job:

                                ```
                                [rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
                                ```

                                - The rank that has it is the one to look at, and not the one that timed out.
                                - Training went well when the log ends with a step such as step 100 of the run.

                                ## See also

                                The [guide](https://example.org/guide) has more on that.
                                """));
        assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
        assertTrue(d.verdicts().isEmpty());
    }

    @Test
    void aFewWordsAreNoCleanBill() throws IOException {
        Path file =
                write("a.txt", "We have seen that at step 5 of the run it is as good as before.\n");
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(file).outcome());
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(write("b.txt", "")).outcome());
        byte[] noise = new byte[4096];
        new java.util.Random(7).nextBytes(noise);
        assertEquals(
                Diagnosis.Outcome.UNKNOWN,
                judge(Files.write(folder.resolve("c"), noise)).outcome());
    }

    @Test
    void aServiceOfWhichNothingIsKnownIsNoJob() throws IOException {
        Path file =
                write(
                        "app.log",
                        """
                        2025-05-01 10:00:00 INFO starting the mail queue
                        2025-05-01 10:00:01 INFO 3 messages are waiting
                        2025-05-01 10:00:02 INFO listening
                        """);
        assertEquals(Diagnosis.Outcome.UNKNOWN, judge(file).outcome());
    }

    @Test
    void besideALogADocumentChangesNothing() throws IOException {
        write("README.md", "# A\n\nIt is said that a rank has died of it, and that is so.\n");
        write("job.log", "step 1 loss 2.1\nstep 2 loss 2.0\n");
        assertEquals(Diagnosis.Outcome.HEALTHY, judge(folder).outcome());
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Diagnosis judge(Path file) {
        return Diagnosis.of(List.of(file), rules);
    }
}
