package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.flow.RunFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs run, runs and report as a user types them. */
class RunCommandTest {
    private static final String GOOD =
            """
            gpuflow: 1
            inputs:
              n: { type: int, default: 3 }
              token: { default: none, secret: true }
            steps:
              - id: one
                sh: echo "n=$N token=$TOKEN"
                env: { N: "${{ inputs.n }}", TOKEN: "x${{ inputs.token == null ? '' : inputs.token }}" }
                effect: read
                extract: { regex: "n=(?P<n>\\\\d+)", types: { n: int } }
              - { id: two, needs: one, if: steps.one.out.n > 2, cmd: [echo, "${{ steps.one.out.n }}"] }
            """;

    @TempDir Path dir;

    private String out;
    private String err;

    private int gpuflow(String... arguments) {
        PrintStream before = System.out;
        PrintStream beforeErr = System.err;
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        System.setOut(new PrintStream(stdout, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(stderr, true, StandardCharsets.UTF_8));
        try {
            return Main.run(arguments);
        } finally {
            System.setOut(before);
            System.setErr(beforeErr);
            out = stdout.toString(StandardCharsets.UTF_8);
            err = stderr.toString(StandardCharsets.UTF_8);
        }
    }

    private int run(String yaml, String... more) throws IOException {
        Path file = dir.resolve("flow.yaml");
        Files.writeString(file, yaml);
        List<String> arguments = new ArrayList<>(List.of("run", file.toString()));
        arguments.addAll(Arrays.asList(more));
        if (!arguments.contains("--resume") && !arguments.contains("--dry-run")) {
            arguments.addAll(List.of("--run-dir", dir.resolve("r").toString()));
        }
        return gpuflow(arguments.toArray(new String[0]));
    }

    @Test
    void aRunThatPassesExitsZeroAndSaysWhereItsRecordIs() throws IOException {
        assertEquals(0, run(GOOD), err);
        assertTrue(out.contains("passed one"), out);
        assertTrue(out.contains("Usable."), out);
        assertTrue(out.contains("Record: " + dir.resolve("r")), out);
        assertFalse(out.contains("\u001b"), out);
        assertEquals("", err);
    }

    @Test
    void jsonIsTheOnlyThingOnStandardOutput() throws IOException {
        assertEquals(
                1, run("gpuflow: 1\nsteps:\n  - { id: a, sh: 'echo no; exit 4' }\n", "--json"));
        JsonNode json = new ObjectMapper().readTree(out);
        List<String> keys = new ArrayList<>();
        json.fieldNames().forEachRemaining(keys::add);
        assertEquals(
                List.of(
                        "gpuflow",
                        "version",
                        "workflow",
                        "machine",
                        "replay",
                        "dry_run",
                        "run",
                        "started",
                        "seconds",
                        "exit",
                        "interrupted",
                        "headline",
                        "steps",
                        "findings",
                        "unknown",
                        "advice",
                        "notes",
                        "next"),
                keys);
        assertEquals(1, json.get("gpuflow").asInt());
        assertEquals(1, json.get("exit").asInt());
        assertEquals(dir.resolve("flow.yaml").toString(), json.get("workflow").asText());
        JsonNode step = json.get("steps").get(0);
        assertEquals("failed", step.get("state").asText());
        assertEquals("exit 4: no", step.get("reason").asText());
        assertEquals("steps/a/1", step.get("attempts").get(0).get("folder").asText());
        assertTrue(err.contains("failed a"), err);
    }

    @Test
    void whatIsFoundOutranksWhatCouldNotBeTold() throws IOException {
        String broken = "  - { id: gone, cmd: [gpuflow-no-such-tool] }\n";
        assertEquals(3, run("gpuflow: 1\nsteps:\n" + broken), out);
        assertTrue(out.contains("Could not tell: gone broke."), out);
        deleteRun();
        String failed = "  - { id: bad, sh: exit 1 }\n";
        assertEquals(1, run("gpuflow: 1\nsteps:\n" + broken + failed), out);
    }

    @Test
    void quotesInAnInputAreTakenAsTheyAre() throws IOException {
        String echo = "    sh: printf '%s' \"$X\"\n    env: { X: '${{ inputs.x }}' }\n";
        String flow = "gpuflow: 1\ninputs: { x: { default: none } }\nsteps:\n  - id: a\n" + echo;
        String given = "a=$(exit 7) \" b; ' c";
        assertEquals(0, run(flow + "    extract: { regex: '(?P<all>.+)' }\n", "-i", "x=" + given));
        assertEquals("", err);
        String journal = Files.readString(dir.resolve("r/journal.jsonl"));
        assertTrue(journal.contains("a=$(exit 7) \\\" b; ' c"), journal);
        assertEquals(2, gpuflow("run", dir.resolve("flow.yaml").toString(), "-i", "secret"));
        assertEquals("gpuflow run: -i takes NAME=VALUE; one has no name or no =\n", err);
    }

    @Test
    void aFileInPlaceOfTheRunsFolderIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("plain"), "");
        Files.writeString(dir.resolve("flow.yaml"), GOOD);
        String flow = dir.resolve("flow.yaml").toString();
        assertEquals(2, gpuflow("run", flow, "--run-dir", file.toString()));
        assertTrue(err.contains(file + " is a file; name another folder: --run-dir DIR"), err);
    }

    @Test
    void wrongUseIsToldAtOnceAndRunsNothing() throws IOException {
        assertEquals(2, run(GOOD, "-i", "m=4", "-i", "n=four"));
        assertTrue(err.contains("there is no input m; "), err);
        assertTrue(err.contains("input n: four is not a whole number"), err);
        assertEquals(2, run("gpuflow: 1\nsteps:\n  - { id: a, cmdd: [ls] }\n"));
        assertTrue(err.contains("flow.yaml:3:14"), err);
        assertEquals(2, gpuflow("run"));
        assertTrue(err.contains("name a workflow"), err);
        assertEquals(2, gpuflow("run", dir.resolve("absent.yaml").toString()));
        assertEquals(2, run(GOOD, "--machine", dir.resolve("none").toString()));
        assertTrue(err.contains("none: does not exist"), err);
        assertFalse(Files.exists(dir.resolve("r/journal.jsonl")));
    }

    @Test
    void aSecretInputIsNowhereInTheRecord() throws IOException {
        assertEquals(0, run(GOOD, "-i", "token=hunter22"), err);
        assertFalse(out.contains("hunter22"), out);
        try (Stream<Path> files = Files.walk(dir.resolve("r"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(Files.readString(file).contains("hunter22"), file.toString());
            }
        }
    }

    @Test
    void resumeReusesWhatHoldsAndNamesWhatDoesNot() throws IOException {
        assertEquals(0, run(GOOD), err);
        String r = dir.resolve("r").toString();
        assertEquals(0, run(GOOD, "--resume", r), err);
        assertTrue(out.contains("reused one"), out);
        assertTrue(out.contains("reused two"), out);
        assertEquals(0, run(GOOD, "--resume", r, "-i", "n=5"), err);
        assertTrue(out.contains("start one again: input env.N changed"), out);
        assertTrue(out.contains("start two again: input command changed"), out);
        // The workflow and the inputs are known from the run itself.
        assertEquals(0, gpuflow("run", "--resume", r), err);
        assertTrue(out.contains("reused one") && out.contains("reused two"), out);
    }

    @Test
    void aRunThatIsInUseIsNotShared() throws IOException {
        assertEquals(0, run(GOOD), err);
        try (RunFolder held = RunFolder.open(dir.resolve("r"))) {
            assertNotNull(held);
            assertEquals(2, run(GOOD, "--resume", dir.resolve("r").toString()));
            assertTrue(err.contains("is in use by another gpuflow"), err);
        }
        assertEquals(2, run(GOOD));
        assertTrue(err.contains("holds a run already"), err);
    }

    @Test
    void aDryRunSaysWhatWouldBeDoneAndLeavesNothing() throws IOException {
        String flow = GOOD + "  - { id: fix, sh: 'touch fixed', effect: change }\n";
        assertEquals(0, run(flow, "--dry-run"), err);
        assertTrue(out.contains("dry run of"), out);
        assertTrue(out.contains("$ echo 3"), out);
        assertTrue(out.contains("--allow-change"), out);
        assertTrue(out.contains("Dry run: only what reads was run."), out);
        assertFalse(out.contains("Record:"), out);
        try (Stream<Path> files = Files.list(dir)) {
            assertEquals(List.of(dir.resolve("flow.yaml")), files.toList());
        }
        assertEquals(2, run(flow, "--dry-run", "--resume", "x"));
    }

    @Test
    void aRecordingReplaysToTheSameAndSaysThatItIsOne() throws IOException {
        String flow = "gpuflow: 1\nsteps:\n  - { id: a, sh: 'echo hello $$', effect: read }\n";
        String recording = dir.resolve("rec").toString();
        assertEquals(0, run(flow, "--record", recording), err);
        String live = stdoutOf("a");
        deleteRun();
        assertEquals(0, run(flow, "--machine", recording), err);
        assertTrue(out.startsWith("replay of the recording " + recording), out);
        assertTrue(out.contains(", replay of the recording " + recording), out);
        assertTrue(out.contains("Nothing was run here"), out);
        assertEquals(0, gpuflow("report", dir.resolve("r").toString()), err);
        assertTrue(out.contains("Nothing was run here"), out);
        assertTrue(live.startsWith("hello "), live);
        deleteRun();
        String other = flow.replace("hello", "goodbye");
        assertEquals(3, run(other, "--machine", recording), err);
        assertTrue(out.contains("has no answer to: sh -c echo goodbye"), out);
    }

    @Test
    void reportPrintsTheRecapOfTheRunAgain() throws IOException {
        assertEquals(0, run(GOOD), err);
        String recap = out.substring(out.indexOf(dir.resolve("flow.yaml") + " on this machine"));
        String r = dir.resolve("r").toString();
        assertEquals(0, gpuflow("report", r), err);
        assertEquals(recap, out.strip() + "\n");
        assertEquals(0, gpuflow("report", r, "--format", "json"), err);
        assertEquals(0, new ObjectMapper().readTree(out).get("exit").asInt());
        assertEquals(0, gpuflow("report", r, "--format", "html"), err);
        assertTrue(out.startsWith("<!DOCTYPE html>"), out);
        assertEquals(0, gpuflow("report", r, "--format", "junit"), err);
        assertTrue(out.contains("<testsuites>"), out);
        assertEquals(2, gpuflow("report", dir.resolve("none").toString()));
    }

    @Test
    void runsAreListed() throws IOException {
        assertEquals(0, run(GOOD), err);
        assertEquals(0, gpuflow("runs", dir.toString()), err);
        assertTrue(out.startsWith("r  exit 0 "), out);
        assertEquals(0, gpuflow("runs", dir.toString(), "--json"), err);
        assertEquals(
                dir.resolve("r").toString(),
                new ObjectMapper().readTree(out).get(0).get("run").asText());
        Path empty = Files.createDirectory(dir.resolve("empty"));
        assertEquals(0, gpuflow("runs", empty.toString()), err);
        assertTrue(out.contains("no runs here"), out);
        assertEquals(2, gpuflow("runs", dir.resolve("none").toString()));
        assertTrue(err.contains("does not exist; name the folder"), err);
        assertEquals(2, gpuflow("runs", dir.resolve("flow.yaml").toString()));
        assertTrue(err.contains("is not a folder"), err);
    }

    @Test
    void aJournalThatCannotBeReadIsToldAndHidesNoOtherRun() throws IOException {
        assertEquals(0, run(GOOD), err);
        Path huge = Files.createDirectory(dir.resolve("huge")).resolve("journal.jsonl");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(300L << 20); // takes no room on disk
        }
        assertEquals(2, gpuflow("report", huge.getParent().toString()));
        assertTrue(err.contains("not a journal of gpuflow"), err);
        assertEquals(2, gpuflow("run", "--resume", huge.getParent().toString()));
        assertEquals(0, gpuflow("runs", dir.toString()), err);
        assertTrue(err.contains("not a journal of gpuflow"), err);
        assertTrue(out.contains("r  exit 0"), out);
    }

    @Test
    void whereNoRecordCanBeKeptTheNextStepIsTold() throws IOException {
        Path file = Files.writeString(dir.resolve("flow.yaml"), GOOD);
        for (String folder : List.of("/proc/r", file + "/r", file.toString())) {
            assertEquals(2, gpuflow("run", file.toString(), "--run-dir", folder), err);
            assertTrue(err.contains("--run-dir DIR"), err);
        }
    }

    @Test
    void aReplayGoesOnWithItsRecordingAndNeverWithThisMachine() throws IOException {
        String flow = "gpuflow: 1\nsteps:\n  - { id: a, sh: 'echo $$', effect: read }\n";
        String recording = dir.resolve("rec").toString();
        String r = dir.resolve("r").toString();
        assertEquals(0, run(flow, "--record", recording), err);
        assertEquals(2, gpuflow("run", "--resume", r, "--machine", recording));
        assertTrue(err.contains("is a run of a real machine"), err);
        assertEquals(2, gpuflow("run", "--resume", r, "--record", recording + "2"));
        assertTrue(err.contains("--record and --resume exclude each other"), err);
        String recorded = stdoutOf("a");
        deleteRun();
        assertEquals(0, run(flow, "--machine", recording), err);
        // Something new to run: it must come from the recording, too.
        assertEquals(3, run(flow.replace("$$", "hello"), "--resume", r), err);
        assertTrue(out.contains("replay of the recording"), out);
        assertTrue(out.contains("has no answer to: sh -c echo hello"), out);
        assertEquals(0, run(flow, "--resume", r), err);
        assertTrue(recorded.strip().matches("\\d+"), recorded);
        Path moved = Files.move(Path.of(recording), dir.resolve("moved"));
        assertEquals(2, gpuflow("run", "--resume", r));
        assertTrue(err.contains("say where it is: --machine DIR"), err);
        assertEquals(0, gpuflow("run", "--resume", r, "--machine", moved.toString()), err);
    }

    @Test
    void aFullDiskIsToldAndLosesNothingThatWasWritten() throws Exception {
        Path small = Files.createDirectory(dir.resolve("small"));
        assumeTrue(
                call("mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", small.toString()) == 0,
                "mounting a small disk needs root");
        try {
            StringBuilder flow = new StringBuilder("gpuflow: 1\nsteps:\n");
            for (int i = 0; i < 60; i++) {
                flow.append("  - { id: s").append(i).append(", sh: 'true', effect: read }\n");
            }
            Path file = Files.writeString(dir.resolve("flow.yaml"), flow);
            String r = small.resolve("r").toString();
            assertEquals(4, gpuflow("run", file.toString(), "--run-dir", r), err);
            assertTrue(err.contains("No space left on device"), err);
            assertTrue(err.contains("gpuflow run --resume"), err);
            assertEquals(0, gpuflow("report", r), err);
            assertTrue(out.contains("passed"), out);
        } finally {
            call("umount", small.toString());
        }
    }

    private static int call(String... argv) throws IOException, InterruptedException {
        return new ProcessBuilder(argv)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private String stdoutOf(String step) throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve("r/steps/" + step))) {
            Path stdout =
                    files.filter(f -> f.getFileName().toString().equals("stdout"))
                            .findFirst()
                            .orElseThrow();
            return Files.readString(stdout);
        }
    }

    private void deleteRun() throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve("r"))) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
