package io.gpuflow.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs a few real steps of a candidate with the script that would be written for it. */
final class StepMeasurement {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int STEPS = 8;
    private static final String REPORT = "report.json";

    private final Tools tools;
    private final String python;

    /**
     * @param python the interpreter that has PyTorch
     */
    StepMeasurement(Tools tools, String python) {
        this.tools = tools;
        this.python = python;
    }

    /**
     * What came of it.
     *
     * @param seconds a step took; null when it could not be measured
     * @param gib torch allocated at most; null when not known
     * @param why it could not be measured, or null
     */
    record Result(Double seconds, Double gib, String why) {}

    /** Null when the candidate has no script that torchrun starts. */
    static String script(Candidate c, List<EmittedFile> files) {
        return files.stream()
                .map(EmittedFile::name)
                .filter(n -> n.equals("train_ddp.py") || n.equals("train_fsdp2.py"))
                .findFirst()
                .orElse(null);
    }

    /**
     * @param folder that keeps the files, the output and the report
     */
    Result run(Candidate c, List<EmittedFile> files, Path folder) throws InterruptedException {
        String script = script(c, files);
        if (script == null) {
            return new Result(
                    null, null, "there is no script of ours for " + c.layout().strategy());
        }
        if (c.placement().nodes() > 1) {
            return new Result(null, null, "it needs " + c.placement().nodes() + " machines");
        }
        try {
            Files.createDirectories(folder);
            for (EmittedFile file : files) {
                Files.writeString(folder.resolve(file.name()), file.text());
            }
            Files.deleteIfExists(folder.resolve(REPORT));
        } catch (IOException e) {
            return new Result(null, null, folder + " can't be written");
        }
        List<String> argv =
                List.of(
                        python,
                        "-m",
                        "torch.distributed.run",
                        "--standalone",
                        "--nproc_per_node=" + c.placement().local(),
                        script,
                        "--steps",
                        Integer.toString(STEPS),
                        "--report",
                        REPORT);
        Tools kept = tools.withRecords(folder);
        ToolResult result =
                kept.run(new ToolCall(argv, environment(c), folder, LIMIT, List.of(REPORT)));
        if (result.outcome() == ToolResult.Outcome.INTERRUPTED) {
            throw new InterruptedException();
        }
        if (!result.ok()) {
            return new Result(null, null, failure(result));
        }
        return report(folder.resolve(REPORT));
    }

    private static Map<String, String> environment(Candidate c) {
        String gpus =
                c.placement().gpus().stream().map(String::valueOf).collect(Collectors.joining(","));
        return c.placement().inOrder()
                ? Map.of("PYTHONUNBUFFERED", "1")
                : Map.of("PYTHONUNBUFFERED", "1", "CUDA_VISIBLE_DEVICES", gpus);
    }

    private static String failure(ToolResult result) {
        if (result.why() != null) {
            return result.why();
        }
        List<String> lines = result.stderr().lines().filter(l -> l.contains("Error")).toList();
        return "it exits " + result.exit() + (lines.isEmpty() ? "" : ": " + lines.get(0).strip());
    }

    private static Result report(Path file) {
        try {
            JsonNode report = new ObjectMapper().readTree(Files.readString(file));
            double seconds = report.path("step_s").asDouble();
            if (!(seconds > 0)) {
                return new Result(null, null, "its report has no step_s");
            }
            JsonNode gpu = report.path("gpu");
            if (!gpu.isTextual()) {
                return new Result(null, null, "it ran on the CPU: PyTorch sees no GPU");
            }
            JsonNode gib = report.path("peak_alloc_gib");
            return new Result(seconds, gib.isNumber() ? gib.asDouble() : null, null);
        } catch (IOException e) {
            return new Result(null, null, "it left no report that can be read");
        }
    }
}
