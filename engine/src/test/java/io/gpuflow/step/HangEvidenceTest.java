package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.flow.Action;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.RasClient;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of a hang on GPUs, with stand-ins for NCCL's RAS and PyTorch's recorder. */
class HangEvidenceTest {
    /**
     * Two ranks: each reads its recorder's pipe and answers by a dump, and answers SIGUSR1 by a
     * stack. Then it sleeps for ever.
     */
    private static final String JOB =
            """
            rank() {
              mkfifo fr-pipe-rank$1.pipe
              (read word <fr-pipe-rank$1.pipe; echo "dump after $word" >fr-rank$1) &
              exec bash -c 'trap "echo \\"  File \\\\\\"/x/gpuflow_smoke.py\\\\\\", line 61 in first_collective\\" >stack-rank'$1'.txt" USR1
                echo "@gpuflow {\\"event\\": \\"python\\", \\"rank\\": '$1', \\"pid\\": $$}"
                echo "@gpuflow {\\"event\\": \\"armed\\", \\"rank\\": '$1', \\"env\\": {\\"NCCL_RAS_ADDR\\": \\"'$2'\\"}}"
                echo "@gpuflow {\\"event\\": \\"stage\\", \\"rank\\": '$1', \\"stage\\": \\"start\\"}"
                while :; do sleep 0.05; done'
            }
            rank 0 "$RAS0" &
            rank 1 "$RAS1" &
            wait
            """;

    @TempDir Path folder;

    @Test
    void everythingIsSavedBeforeTheRanksAreEnded() throws Exception {
        try (FakeRas stopped = new FakeRas(true);
                FakeRas answers = new FakeRas(false);
                LiveTools tools = new LiveTools(null)) {
            int[] armed = {0};
            OutputLines until =
                    new OutputLines() {
                        @Override
                        public void line(boolean stderr, String text) {
                            armed[0] += text.contains(": start") ? 1 : 0;
                        }

                        @Override
                        public String giveUp() {
                            return armed[0] == 2 ? "seen enough" : null;
                        }
                    };
            Action.Context context =
                    new Action.Context(
                            "smoke",
                            tools,
                            Map.of(),
                            Map.of(),
                            List.of(),
                            folder,
                            Duration.ofSeconds(60),
                            until);
            ToolCall call =
                    new ToolCall(
                            List.of("bash", "-c", JOB),
                            Map.of("RAS0", stopped.address(), "RAS1", answers.address()),
                            folder,
                            Duration.ofSeconds(60));
            ToolResult result = tools.run(call, new HangEvidence(context, true));
            assertEquals(ToolResult.Outcome.TIMED_OUT, result.outcome(), result.why());

            for (int rank = 0; rank < 2; rank++) {
                assertEquals("dump after dump\n", text("fr-rank" + rank));
                assertTrue(text("stack-rank" + rank + ".txt").contains("line 61"));
                // It sleeps, or is about to write what it was asked for.
                String state = text("evidence/proc-rank" + rank + ".txt");
                assertTrue(Pattern.compile("\\(bash\\) [SRD] \\d+ ").matcher(state).find(), state);
            }
            assertEquals(FakeRas.REPORT, text("evidence/ras-1.txt"));
            assertEquals(FakeRas.REPORT, text("evidence/ras-2.txt"));
            assertTrue(answers.asked.contains("VERBOSE STATUS"), answers.asked.toString());
            List<String> kinds =
                    new RankEvidence(folder)
                            .files("smoke", result).stream()
                                    .map(o -> ((EvidenceFile) o.fact()).kind())
                                    .distinct()
                                    .toList();
            assertTrue(
                    kinds.containsAll(List.of("flight-recorder", "stack", "ras", "proc")),
                    kinds.toString());
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void aSilentOrAbsentServiceIsToldInWords() throws Exception {
        try (FakeRas stopped = new FakeRas(true)) {
            IOException silent =
                    assertThrows(
                            IOException.class,
                            () -> RasClient.status(stopped.address(), Duration.ofSeconds(1)));
            assertTrue(silent.getMessage().contains("no answer"), silent.getMessage());
        }
        for (String wrong : List.of("localhost", "localhost:port", ":1", "localhost:99999999")) {
            IOException e =
                    assertThrows(
                            IOException.class,
                            () -> RasClient.status(wrong, Duration.ofSeconds(1)));
            assertTrue(e.getMessage().contains("not a RAS address"), e.getMessage());
        }
        assertThrows(
                IOException.class, () -> RasClient.status("localhost:1", Duration.ofSeconds(1)));
    }

    @Test
    void aRankThatIsNotOfTheCallIsNeverSignalled() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        try (LiveTools tools = new LiveTools(null)) {
            Action.Context context =
                    new Action.Context(
                            "smoke",
                            tools,
                            Map.of(),
                            Map.of(),
                            List.of(),
                            folder,
                            Duration.ofSeconds(60),
                            (stderr, text) -> {});
            HangEvidence evidence = new HangEvidence(context, false);
            evidence.line(false, "@gpuflow {\"rank\": 0, \"pid\": " + other.pid() + "}");
            evidence.line(false, "@gpuflow {\"rank\": 1, \"pid\": 1e3000}");
            evidence.line(false, "@gpuflow {\"rank\": -5, \"pid\": 7}");
            evidence.line(false, "@gpuflow {\"rank\": 2, \"pid\": torn");
            evidence.beforeEnd(List.of(ProcessHandle.current()));
            assertTrue(other.isAlive());
            assertFalse(Files.exists(folder.resolve("evidence/proc-rank0.txt")));
        } finally {
            other.destroyForcibly();
        }
    }
}
