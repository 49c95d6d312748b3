package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.report.ResultSchemas;
import io.gpuflow.yaml.SchemaCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What --json really prints fits the schema that is published for it. */
class ResultSchemasTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

    @TempDir Path dir;

    @TestFactory
    Stream<DynamicTest> replaysFit() throws IOException {
        List<Path> examples;
        try (Stream<Path> all = Files.list(HOME.resolve("examples"))) {
            examples = all.filter(e -> Files.isDirectory(e.resolve("recording"))).sorted().toList();
        }
        String setup = HOME.resolve("workflows/setup.yaml").toString();
        return examples.stream()
                .map(
                        e ->
                                DynamicTest.dynamicTest(
                                        e.getFileName().toString(),
                                        () ->
                                                fits(
                                                        ResultSchemas.run(),
                                                        "run",
                                                        setup,
                                                        "--json",
                                                        "--machine",
                                                        e.resolve("recording").toString(),
                                                        "--run-dir",
                                                        dir.resolve(e.getFileName()).toString())));
    }

    @Test
    void allStatesFit() throws IOException {
        String flow =
                """
                gpuflow: 1
                steps:
                  - { id: fine, sh: echo 1, extract: { regex: "(?P<n>[0-9])" } }
                  - { id: failed, sh: exit 3, retry: { times: 1, for: [exit 3], wait: 1s } }
                  - { id: blocked, needs: failed, sh: echo }
                  - { id: skipped, if: 1 > 2, sh: echo }
                  - { id: broken, cmd: [no-such-program-here] }
                  - { id: points, matrix: { x: [1, b] }, cmd: [echo, "${{ matrix.x }}"] }
                  - { id: changes, sh: echo, effect: change }
                """;
        String file = Files.writeString(dir.resolve("flow.yaml"), flow).toString();
        String run = dir.resolve("r").toString();
        fits(ResultSchemas.run(), "run", file, "--json", "--run-dir", run);
        fits(ResultSchemas.run(), "run", file, "--json", "--resume", run);
        fits(ResultSchemas.run(), "run", file, "--json", "--dry-run");
        fits(ResultSchemas.run(), "report", run, "--format", "json");
        Path journal = dir.resolve("r/journal.jsonl");
        String begun =
                Files.readString(journal).lines().limit(4).reduce("", (a, b) -> a + b + "\n");
        Files.writeString(journal, begun + "{\"at\":");
        fits(ResultSchemas.run(), "report", run, "--format", "json");
    }

    @Test
    void diagnosesFit() throws IOException {
        Path logs = HOME.resolve("engine/samples/logs");
        try (Stream<Path> all = Files.list(logs)) {
            for (Path log : all.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
                fits(ResultSchemas.diagnose(), "diagnose", "--json", log.toString());
            }
        }
    }

    @Test
    void timelinesAndSeveralJobsFit() throws IOException {
        String log = HOME.resolve("engine/samples/logs/h200x2--oom.log").toString();
        fits(ResultSchemas.diagnose(), "diagnose", "--json", "--timeline", "--redact", log);
        for (String number : List.of("4711", "4712")) {
            Path job = dir.resolve("jobs/slurm-" + number + ".out");
            Files.createDirectories(job.getParent());
            Files.writeString(job, "torch.OutOfMemoryError: CUDA out of memory.\n");
        }
        String jobs = dir.resolve("jobs").toString();
        fits(ResultSchemas.diagnose(), "diagnose", "--json", "--timeline", jobs);
    }

    @Test
    void whatIsNotInTheSchemaDoesNotFit() {
        assertFalse(SchemaCheck.problems(ResultSchemas.run(), Map.of("gpuflow", 1L)).isEmpty());
        assertFalse(
                SchemaCheck.problems(
                                ResultSchemas.diagnose(),
                                Map.of(
                                        "gpuflow",
                                        1L,
                                        "verdict",
                                        "perhaps",
                                        "findings",
                                        List.of(),
                                        "unread",
                                        List.of(),
                                        "more",
                                        1L))
                        .isEmpty());
    }

    private static void fits(Map<String, Object> schema, String... arguments) throws IOException {
        PrintStream before = System.out;
        PrintStream beforeErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        try {
            Main.run(arguments);
        } finally {
            System.setOut(before);
            System.setErr(beforeErr);
        }
        String text = out.toString(StandardCharsets.UTF_8);
        Object value = JSON.readValue(text, Object.class);
        assertEquals(List.of(), SchemaCheck.problems(schema, value), text);
    }
}
