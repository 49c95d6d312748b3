package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb as a person types it: over the shipped recording, and live over stand-ins for tools. */
class ProbeCommandTest {
    private static final Path RECORDING = Path.of("examples/h200x2/recording");

    private record Printed(int exit, String out, String err) {}

    @TempDir Path folder;

    @Test
    void theShippedRecording() throws IOException {
        Printed printed = run("probe", "--machine", RECORDING.toString(), "--json");
        assertEquals(0, printed.exit, printed.err);
        JsonNode facts = new ObjectMapper().readTree(printed.out).get("facts");
        assertEquals(2, of(facts, "Gpu").size());
        assertEquals(
                "nvswitch-all-to-all", of(facts, "Topology").get(0).path("link_class").asText());
        assertEquals("NV18", of(facts, "GpuPair").get(0).path("link").asText());
        assertEquals(18, of(facts, "NvLinkState").get(1).path("links_up").asInt());
        assertEquals(10, of(facts, "P2pPair").size());
        assertEquals("9.0", of(facts, "Gpu").get(0).path("compute_capability").asText());
        assertEquals("2.28.9", of(facts, "Torch").get(0).path("nccl_version").asText());
        assertEquals(5, of(facts, "PcieLink").get(0).path("gen_now").asInt());
        List<String> limits = new ArrayList<>();
        of(facts, "Limit").forEach(l -> limits.add(l.path("name").asText() + l.path("value")));
        assertTrue(limits.containsAll(List.of("memlock-1", "nofile20000", "shm_size274877906944")));
        for (JsonNode unknown : of(facts, "Unknown")) {
            String why = unknown.path("why").asText();
            assertTrue(
                    why.contains("recording"),
                    "unknown only where nothing was recorded: " + unknown);
        }
    }

    @Test
    void theTableOfTheShippedRecording() {
        Printed printed = run("probe", "--machine", RECORDING.toString());
        assertTrue(
                printed.out.contains("links       nvswitch-all-to-all: NV18 between all"),
                printed.out);
        assertTrue(
                printed.out.contains("NVLink      18 up at 26.562 GB/s, no errors"), printed.out);
        assertTrue(printed.out.contains("not in the recording"), printed.out);
    }

    @Test
    void wrongUsage() {
        assertEquals(2, run("probe", "--only", "nvidia").exit);
        assertTrue(run("probe", "--only", "nvidia").err.contains("there are nvidia-smi-query,"));
        assertEquals(2, run("probe", "--machine", "/does/not/exist").exit);
        assertEquals(2, run("probe", "--machine", "a", "--record", "b").exit);
    }

    @Test
    void onlyWhatIsAskedFor() {
        Printed printed = run("probe", "--machine", RECORDING.toString(), "--only", "limits");
        assertEquals("limits      memlock unlimited, nofile 20000\n", printed.out);
        assertEquals(0, printed.exit);
    }

    /** nvidia-smi on PATH is a stand-in that replays the recording; all else is this machine. */
    @Test
    void aStandInForNvidiaSmi() throws IOException, InterruptedException {
        Path bin = standIn();
        Path record = folder.resolve("recorded");
        Printed live = process(bin, "probe", "--json", "--record", record.toString());
        assertEquals(0, live.exit, live.err);
        JsonNode facts = new ObjectMapper().readTree(live.out).get("facts");
        assertEquals(
                "nvswitch-all-to-all", of(facts, "Topology").get(0).path("link_class").asText());
        assertEquals(2, of(facts, "GpuFabric").size());
        assertEquals(36, of(facts, "NvLinkErrors").size());
        for (JsonNode unknown : of(facts, "Unknown")) {
            assertFalse(unknown.path("why").asText().isBlank(), unknown.toString());
        }
        Printed again = run("probe", "--machine", record.toString(), "--json");
        assertEquals(
                facts, new ObjectMapper().readTree(again.out).get("facts"), "replays the same");
    }

    @Test
    void aStandInThatHangsOrIsBroken() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("broken"));
        script(bin, "exec kill -SEGV $$");
        Printed crash = process(bin, "probe", "--only", "nvidia-smi-query");
        assertTrue(crash.out.contains("unknown     Gpu, Driver"), crash.out);
        script(bin, "head -c 300000 /dev/urandom");
        Printed noise = process(bin, "probe", "--only", "nvidia-smi-query,nvidia-smi-topology");
        assertTrue(noise.out.contains("unknown     Gpu, Driver"), noise.out);
        assertFalse(noise.out.contains("\u001b"), "what a tool prints does not reach the terminal");
    }

    private Path standIn() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        StringBuilder cases = new StringBuilder("case \"$*\" in\n");
        ObjectMapper json = new ObjectMapper();
        try (Stream<Path> calls = Files.list(RECORDING.resolve("commands"))) {
            for (Path call : calls.sorted().toList()) {
                JsonNode argv = json.readTree(call.resolve("call.json").toFile()).get("argv");
                if (argv.get(0).asText().equals("nvidia-smi")) {
                    List<String> arguments = new ArrayList<>();
                    argv.forEach(a -> arguments.add(a.asText()));
                    String typed = String.join(" ", arguments.subList(1, arguments.size()));
                    cases.append("'").append(typed).append("') cat '");
                    cases.append(call.resolve("stdout").toAbsolutePath()).append("' ;;\n");
                }
            }
        }
        script(bin, cases + "*) echo \"no such option: $*\"; exit 2 ;;\nesac");
        return bin;
    }

    private static void script(Path bin, String body) throws IOException {
        Path file = bin.resolve("nvidia-smi");
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private Printed process(Path bin, String... arguments)
            throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>();
        argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        argv.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        argv.add("-Dgpuflow.home=" + System.getProperty("gpuflow.home"));
        argv.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.gpuflow.cli.Main"));
        argv.addAll(List.of(arguments));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        Process process = builder.start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it does not end");
        String text = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
        return new Printed(process.exitValue(), text, Files.readString(err));
    }

    private static Printed run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            int exit = Main.run(arguments);
            return new Printed(
                    exit,
                    printed.toString(StandardCharsets.UTF_8),
                    errors.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static List<JsonNode> of(JsonNode facts, String type) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode fact : facts) {
            if (fact.get("fact").asText().equals(type)) {
                found.add(fact.get("is"));
            }
        }
        return found;
    }
}
