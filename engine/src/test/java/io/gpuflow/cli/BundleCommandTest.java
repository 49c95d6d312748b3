package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BundleCommandTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path dir;

    private Path run(String example) {
        Path run = dir.resolve("2026-11-29T195203Z-setup");
        Said.by(
                "run",
                HOME.resolve("workflows/setup.yaml").toString(),
                "--machine",
                HOME.resolve("examples/" + example + "/recording").toString(),
                "--run-dir",
                run.toString());
        return run;
    }

    private Path bundle(Path what, String... options) {
        Path file = dir.resolve("a-bundle");
        List<String> args = new ArrayList<>(List.of("bundle", what.toString()));
        args.addAll(List.of("-o", file.toString()));
        args.addAll(List.of(options));
        Said said = Said.by(args.toArray(new String[0]));
        assertEquals(0, said.exit(), said.err());
        return file;
    }

    /** What a diagnosis comes to: each finding with what it is about. */
    private static List<String> findings(JsonNode diagnosis) {
        List<String> all = new ArrayList<>();
        all.add(diagnosis.get("verdict").asText());
        for (JsonNode f : diagnosis.get("findings")) {
            all.add(f.get("id") + " " + f.get("cause") + " " + f.get("role") + f.get("ranks"));
        }
        return all;
    }

    private static JsonNode diagnose(Path path) throws Exception {
        return JSON.readTree(Said.by("diagnose", "--json", "--no-site", path.toString()).out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rtx6000x2-peer-hang", "h200x2-p2p-disabled", "gb200x4-no-imex", "h200x2"})
    void aBundleIsDiagnosedAsTheRunItself(String example) throws Exception {
        Path run = run(example);
        JsonNode ofRun = diagnose(run);
        JsonNode ofBundle = diagnose(bundle(run));
        assertEquals(findings(ofRun), findings(ofBundle));
        assertEquals(0, ofBundle.get("unread").size(), ofBundle.get("unread").toString());
        JsonNode plain = diagnose(bundle(run, "--no-redact", "--force"));
        assertEquals(findings(ofRun), findings(plain));
    }

    @Test
    void evidenceNamesTheFileInTheArchive() throws Exception {
        Path bundle = bundle(run("h200x2-p2p-disabled"));
        List<String> files = new ArrayList<>();
        diagnose(bundle).findValues("file").forEach(f -> files.add(f.asText()));
        String wanted = bundle + "!2026-11-29T195203Z-setup/steps/bench/1-all_reduce/nccl-2702.log";
        assertTrue(files.contains(wanted), files.toString());
    }

    @Test
    void anUnpackedBundleIsARunAgain() throws Exception {
        Path run = run("rtx6000x2-peer-hang");
        Path bundle = bundle(run);
        Path to = Files.createDirectories(dir.resolve("there"));
        int exit =
                new ProcessBuilder("tar", "xzf", bundle.toString(), "-C", to.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
        assertEquals(0, exit);
        Path unpacked = to.resolve(run.getFileName());
        assertEquals(findings(diagnose(run)), findings(diagnose(unpacked)));
    }

    @Test
    void reportShowsItToo() throws Exception {
        Path run = run("rtx6000x2-peer-hang");
        JsonNode ofRun = report(run);
        JsonNode ofBundle = report(bundle(run));
        assertEquals(ofRun.get("headline"), ofBundle.get("headline"));
        assertEquals(ofRun.get("steps").size(), ofBundle.get("steps").size());
        for (int i = 0; i < ofRun.get("steps").size(); i++) {
            JsonNode step = ofRun.get("steps").get(i);
            assertEquals(step.get("state"), ofBundle.get("steps").get(i).get("state"));
        }
    }

    private static JsonNode report(Path run) throws Exception {
        Said said = Said.by("report", run.toString(), "--format", "json");
        assertEquals(0, said.exit(), said.err());
        return JSON.readTree(said.out());
    }

    @Test
    void whereItRanIsNotInIt() throws Exception {
        String text = unpacked(bundle(run("rtx6000x2-peer-hang")));
        for (String known : List.of("gpu-server", "10.0.0.5", dir.toString())) {
            assertFalse(text.contains(known), known);
        }
        String home = HOME.toRealPath().toString();
        // Folders of the system keep their names; a clone may lie in one.
        assertTrue(home.matches("/(?:opt|usr|var|run)/.*") || !text.contains(home), home);
    }

    private static String unpacked(Path bundle) throws Exception {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(bundle))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void secretsOfTheWorkflowAreInNoBundle() throws Exception {
        Path flow = dir.resolve("flow.yaml");
        Files.writeString(
                flow,
                """
                gpuflow: 1
                inputs: { word: { default: none, secret: true } }
                steps:
                  - id: tell
                    sh: 'echo "it is $WORD"'
                    env: { WORD: "${{ inputs.word }}" }
                """);
        Path run = dir.resolve("r");
        Said said =
                Said.by(
                        "run",
                        flow.toString(),
                        "-i",
                        "word=correct-horse-battery",
                        "--run-dir",
                        run.toString());
        assertTrue(Files.exists(run.resolve("journal.jsonl")), said.err());
        for (String how : List.of("--json", "--no-redact")) {
            String text = unpacked(bundle(run, how, "--force"));
            assertTrue(text.contains("***"), "it was there to be masked");
            assertFalse(text.contains("correct-horse"), how);
        }
    }

    @Test
    void whatAFailedStepPrintedIsReadWhenNoStepReadIt() throws Exception {
        Path flow = dir.resolve("flow.yaml");
        Files.writeString(
                flow,
                """
                gpuflow: 1
                steps:
                  - id: well
                    sh: "echo '[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'"
                  - id: train
                    sh: |
                      echo '[rank1]: Traceback (most recent call last):'
                      echo '[rank1]:   File "/home/bob/train.py", line 12, in <module>'
                      echo '[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'
                      exit 1
                """);
        Path run = dir.resolve("r");
        Said.by("run", flow.toString(), "--run-dir", run.toString());
        JsonNode ofRun = diagnose(run);
        JsonNode root = ofRun.get("findings").get(0);
        assertEquals("rank-oom", root.get("cause").asText(), ofRun.toString());
        assertEquals("[1]", root.get("ranks").toString());
        assertTrue(
                root.get("evidence").get(0).get("file").asText().startsWith(run + "/steps/train/"));
        Path bundle = bundle(run);
        JsonNode ofBundle = diagnose(bundle);
        assertEquals(findings(ofRun), findings(ofBundle));
        JsonNode seen = ofBundle.get("findings").get(0).get("evidence").get(0);
        assertTrue(
                seen.get("file").asText().startsWith(bundle + "!r/steps/train/1/"),
                seen.toString());
    }

    @Test
    void logsOfAnyJobAreDiagnosedTheSame() throws Exception {
        Path planted = HOME.resolve("engine/samples/planted/h200x2");
        for (String fault : List.of("shape", "sleep", "exit_code", "out_of_memory", "healthy")) {
            Path logs = planted.resolve(fault);
            JsonNode bundled = diagnose(bundle(logs, "--force"));
            assertEquals(findings(diagnose(logs)), findings(bundled), fault);
        }
    }

    @Test
    void aWrongChecksumIsSaid() throws Exception {
        Path bundle = bundle(run("h200x2"));
        String text = unpacked(bundle);
        int at = text.indexOf("\"version\":\"580");
        byte[] tar;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(bundle))) {
            tar = in.readAllBytes();
        }
        int place = new String(tar, StandardCharsets.ISO_8859_1).indexOf("NVIDIA H200");
        assertTrue(place > 0 || at > 0);
        tar[place] = 'M';
        Files.write(bundle, tar);
        Said said = Said.by("diagnose", "--no-site", bundle.toString());
        assertEquals(3, said.exit(), said.out());
        assertTrue(said.out().contains("checksum is wrong"), said.out());
    }

    @Test
    void wrongUsageIsSaid() throws Exception {
        Said said = Said.by("bundle", dir.resolve("none").toString());
        assertEquals(2, said.exit());
        Path log = Files.writeString(dir.resolve("a.log"), "x\n");
        Path file = Files.writeString(dir.resolve("there"), "mine");
        said = Said.by("bundle", log.toString(), "-o", file.toString());
        assertEquals(2, said.exit());
        assertTrue(said.err().contains("is there already"), said.err());
        assertEquals("mine", Files.readString(file));
        said = Said.by("bundle", log.toString(), "-o", dir.resolve("no/where").toString());
        assertEquals(2, said.exit());
        said = Said.by("bundle", log.toString(), dir.resolve("none").toString());
        assertEquals(2, said.exit());
        Path run = run("h200x2");
        said = Said.by("bundle", log.toString(), run.toString());
        assertEquals(2, said.exit());
        assertTrue(said.err().contains("name one run alone"), said.err());
    }

    @Test
    void nothingIsLeftWhenTheDiskIsFull() throws Exception {
        Path logs = Files.createDirectories(dir.resolve("logs"));
        byte[] noise = new byte[3 << 20];
        new java.util.Random(1).nextBytes(noise);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) (i % 90 == 0 ? '\n' : 'a' + (noise[i] & 15));
        }
        Files.write(logs.resolve("a.log"), noise);
        Path out = Files.createDirectories(dir.resolve("out"));
        Process process =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "ulimit -f 1000; exec \"$@\"",
                                "sh",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:-UsePerfData",
                                "-Dgpuflow.home=" + HOME,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.gpuflow.cli.Main",
                                "bundle",
                                logs.toString(),
                                "-o",
                                out.resolve("b.tar.gz").toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(4, process.waitFor(), said);
        try (Stream<Path> left = Files.list(out)) {
            assertEquals(List.of(), left.toList(), said);
        }
    }

    @Test
    void nothingIsLeftWhenItIsEnded() throws Exception {
        Path logs = Files.createDirectories(dir.resolve("logs"));
        String lines = "node-7:1:1 [0] NCCL INFO some line that takes time\n".repeat(20_000);
        for (int i = 0; i < 40; i++) {
            Files.writeString(logs.resolve(i + ".log"), lines);
        }
        Path out = Files.createDirectories(dir.resolve("out"));
        String file = out.resolve("b.tar.gz").toString();
        try (RunProcess bundle = RunProcess.start(dir, "bundle", logs.toString(), "-o", file)) {
            Thread.sleep(1500);
            bundle.signal("TERM");
            assertEquals(143, bundle.exit(), bundle.output());
        }
        try (Stream<Path> left = Files.list(out)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
