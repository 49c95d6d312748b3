package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.Placement;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.SampleModels;
import io.gpuflow.advise.StepTime;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measured steps are run with a limit, kept, found again, and their factor applied. */
class MeasuredStepsTest {
    @TempDir Path folder;

    private static Candidate ddp() {
        Placement placement = new Placement(1, List.of(0, 1), true, List.of(), 4, List.of());
        return new Candidate(
                        Layout.of(DataParallel.DDP, 2),
                        SampleModels.workload(1, 2048, Precision.MIXED, false),
                        true,
                        null,
                        null,
                        null,
                        List.of(),
                        List.of())
                .timed(new StepTime(0.1, 0.09, 0.02, 0.01, 0, 1000.0, false, List.of()), placement);
    }

    /** Answers a command with an exit status and a report. */
    private static final class Answer implements Tools {
        private final String report;
        private final int exit;
        private final List<ToolCall> calls = new ArrayList<>();

        Answer(int exit, String report) {
            this.exit = exit;
            this.report = report;
        }

        @Override
        public ToolResult run(ToolCall call, OutputLines lines) {
            calls.add(call);
            try {
                if (report != null) {
                    Files.writeString(call.folder().resolve("report.json"), report);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            String said = exit == 0 ? "" : "RuntimeError: CUDA out of memory";
            return new ToolResult(
                    call.argv(), ToolResult.Outcome.EXITED, exit, "", said, null, null, 1, null);
        }

        @Override
        public FileResult read(String path) {
            throw new AssertionError(path);
        }

        @Override
        public List<String> glob(String pattern) {
            return List.of();
        }

        @Override
        public Map<String, String> environment() {
            return Map.of();
        }

        @Override
        public String name() {
            return "a test";
        }
    }

    private static final List<EmittedFile> FILES =
            List.of(new EmittedFile("train_ddp.py", "#"), new EmittedFile("model.json", "{}"));

    @Test
    void aReportBecomesAMeasurement() throws InterruptedException {
        Answer answer =
                new Answer(
                        0,
                        "{\"step_s\": 0.125, \"peak_alloc_gib\": 20.5, \"gpu\": \"NVIDIA H200\"}");
        StepMeasurement.Result r = new StepMeasurement(answer, "python3").run(ddp(), FILES, folder);
        assertEquals(0.125, r.seconds());
        assertEquals(20.5, r.gib());
        ToolCall call = answer.calls.get(0);
        assertTrue(call.argv().contains("--nproc_per_node=2"), call.argv().toString());
        assertTrue(call.limit().toMinutes() <= 5);
        assertEquals(List.of("report.json"), call.keeps());
    }

    @Test
    void whatFailsOrRunsOnACpuMeasuresNothing() throws InterruptedException {
        StepMeasurement.Result failed =
                new StepMeasurement(new Answer(1, null), "python3").run(ddp(), FILES, folder);
        assertNull(failed.seconds());
        assertTrue(failed.why().contains("out of memory"), failed.why());
        Answer cpu = new Answer(0, "{\"step_s\": 0.125, \"gpu\": null}");
        assertTrue(
                new StepMeasurement(cpu, "python3")
                        .run(ddp(), FILES, folder)
                        .why()
                        .contains("CPU"));
        assertNull(
                new StepMeasurement(new Answer(0, "{"), "python3")
                        .run(ddp(), FILES, folder)
                        .seconds());
    }

    @Test
    void theFactorOfTheNearestModelIsUsed() throws IOException {
        MeasuredSteps kept = new MeasuredSteps(folder.resolve("x/steps.jsonl"));
        kept.add(
                new MeasuredSteps.Step(
                        "NVIDIA H200", 2, "ddp", "mixed", 160_000_000L, 0.1, 0.2, 3.0, 3.0));
        kept.add(
                new MeasuredSteps.Step(
                        "NVIDIA H200", 2, "ddp", "mixed", 1_000_000_000L, 0.1, 0.11, 3.0, null));
        kept.add(
                new MeasuredSteps.Step(
                        "NVIDIA H200", 2, "fsdp2", "mixed", 1_100_000_000L, 0.1, 0.5, 3.0, 3.0));
        Files.writeString(
                kept.file(), Files.readString(kept.file()) + "{\"gpu\": 1\nnonsense\n{}\n");
        MeasuredSteps.Step step =
                kept.nearest(
                        TestRequests.of(SampleModels.tinyLlama(), 2),
                        TestRequests.machine("NVIDIA H200", 2),
                        ddp());
        assertEquals(1.1, step.factor(), 1e-9);
        assertNull(
                kept.nearest(
                        TestRequests.of(SampleModels.tinyLlama(), 2),
                        TestRequests.machine("NVIDIA B200", 2),
                        ddp()));
        assertEquals(
                Math.sqrt(1.1 * 5),
                kept.common(TestRequests.machine("NVIDIA H200", 2), ddp()),
                1e-9,
                "a plan that was not measured");
        assertNull(kept.common(TestRequests.machine("NVIDIA H200", 4), ddp()));
        StepTime corrected = ddp().time().corrected(step.factor(), "measured");
        assertEquals(0.11, corrected.seconds(), 1e-9);
        assertEquals(0.01, corrected.lines().get(0).seconds(), 1e-9);
    }
}
