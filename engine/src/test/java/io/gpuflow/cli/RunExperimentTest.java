package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole loop on the shipped recording, changed as a fault would change it: the shipped rules
 * advise, the shipped workflow declares, gpuflow tries and says what it showed.
 */
class RunExperimentTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path dir;

    private Path recording;

    @BeforeEach
    void copyTheRecording() throws IOException {
        recording = dir.resolve("recording");
        copy(HOME.resolve("examples/h200x2/recording"), recording);
    }

    @Test
    void aSettingThatCostsBandwidthIsProvenByTakingItAway() throws IOException {
        ObjectNode about = (ObjectNode) JSON.readTree(recording.resolve("recording.json").toFile());
        ((ObjectNode) about.get("environment")).put("NCCL_P2P_DISABLE", "1");
        JSON.writeValue(recording.resolve("recording.json").toFile(), about);
        for (String test : List.of("all_reduce_perf", "all_gather_perf")) {
            Path without = again(command(test), "zzz-" + test);
            setEnv(without, "NCCL_P2P_DISABLE", null);
        }
        Files.copy(
                HOME.resolve("engine/samples/nccl-tests/h200x2--nop2p.out"),
                command("all_reduce_perf").resolve("stdout"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        JsonNode run = run(0);
        JsonNode tried = step(run, "bench").get("experiments").get(0);
        assertEquals("p2p-on", tried.get("name").asText());
        assertEquals("confirmed", tried.get("outcome").asText());
        assertEquals(27.5, tried.get("before").asDouble(), 0.1);
        assertEquals(339, tried.get("after").asDouble(), 1);
        assertEquals("GB/s", tried.get("unit").asText());
        assertTrue(tried.get("env").get("NCCL_P2P_DISABLE").isNull());
        assertTrue(ids(run).contains("p2p-setting-costs-bandwidth"), ids(run).toString());
        assertEquals("Remove NCCL_P2P_DISABLE from environment (user)", run.get("next").asText());
    }

    @Test
    void aHangIsProvenByWhatClearsItAndComesBack() throws IOException {
        Path smoke = command("torch.distributed.run");
        Path cleared = again(smoke, "zzz-smoke");
        setEnv(cleared, "NCCL_NVLS_ENABLE", "0");
        ObjectNode call = call(smoke);
        call.put("outcome", "timed-out").remove("exit");
        call.put("seconds", 120).put("why", "it did not end within 120 s");
        JSON.writeValue(smoke.resolve("call.json").toFile(), call);
        List<String> lines = Files.readAllLines(smoke.resolve("stdout"));
        lines.removeIf(line -> line.matches(".*\"(first-collective|train|done)\".*"));
        Files.write(smoke.resolve("stdout"), lines);

        JsonNode run = run(1);
        assertEquals("failed", step(run, "smoke").get("state").asText());
        JsonNode tried = step(run, "smoke").get("experiments").get(0);
        assertEquals("nvls-off", tried.get("name").asText());
        assertEquals("confirmed", tried.get("outcome").asText(), tried.toString());
        assertTrue(tried.get("says").asText().startsWith("works with NCCL_NVLS_ENABLE=0"));
        assertTrue(tried.get("says").asText().endsWith(", twice"), tried.toString());
        assertTrue(ids(run).contains("nvls-path-broken"), ids(run).toString());
        assertEquals("blocked", step(run, "bench").get("state").asText());
    }

    private JsonNode run(int exit) throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream beforeErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            int code =
                    Main.run(
                            "run",
                            HOME.resolve("workflows/setup.yaml").toString(),
                            "--machine",
                            recording.toString(),
                            "--run-dir",
                            dir.resolve("run").toString(),
                            "--json");
            assertEquals(exit, code, out.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
            System.setErr(beforeErr);
        }
        return JSON.readTree(out.toByteArray());
    }

    private static JsonNode step(JsonNode run, String id) {
        for (JsonNode step : run.get("steps")) {
            if (step.get("id").asText().equals(id)) {
                return step;
            }
        }
        throw new IllegalArgumentException("no step " + id);
    }

    private static List<String> ids(JsonNode run) {
        return run.get("findings").findValuesAsText("id");
    }

    private Path command(String part) throws IOException {
        try (Stream<Path> folders = Files.list(recording.resolve("commands"))) {
            return folders.filter(f -> f.getFileName().toString().contains(part))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Path again(Path command, String name) throws IOException {
        Path copy = recording.resolve("commands").resolve(name);
        copy(command, copy);
        return copy;
    }

    private static ObjectNode call(Path command) throws IOException {
        return (ObjectNode) JSON.readTree(command.resolve("call.json").toFile());
    }

    private static void setEnv(Path command, String name, String value) throws IOException {
        ObjectNode call = call(command);
        ((ObjectNode) call.get("env")).put(name, value);
        JSON.writeValue(command.resolve("call.json").toFile(), call);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path path : walk.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
