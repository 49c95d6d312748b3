package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is interrupted or killed leaves no process behind and a journal that resumes. */
class RunSignalsTest {
    /** Sleeps that no other process on this machine sleeps. */
    private static final String NAP = "86399." + ProcessHandle.current().pid();

    private static final String TREE =
            """
            gpuflow: 1
            steps:
              - { id: quick, sh: "true", effect: read }
              - id: tree
                needs: quick
                sh: |
                  setsid sh -c 'sleep NAP1 & sleep NAP2' &
                  (trap "" TERM INT; sleep NAP3) &
                  echo ready
                  touch ready
                  wait
              - { id: later, needs: tree, sh: "true" }
            """;

    @TempDir Path dir;

    @Test
    void terminatedItEndsAllProcessesAndSaysSo() throws Exception {
        endsInOrder("TERM", 143);
    }

    @Test
    void interruptedItEndsAllProcessesAndSaysSo() throws Exception {
        endsInOrder("INT", 130);
    }

    private void endsInOrder(String signal, int exit) throws Exception {
        Files.writeString(dir.resolve("tree.yaml"), TREE.replace("NAP", NAP));
        try (RunProcess run = RunProcess.start(dir, "run", "tree.yaml", "--run-dir", "r")) {
            await(run, dir.resolve("ready"));
            assumeFalse(signal.equals("INT") && run.ignoresInterrupt(), "SIGINT is ignored here");
            run.signal(signal);
            assertEquals(exit, run.exit(), run.output());
            assertEquals(List.of(), RunProcess.processesWith(NAP), run.output());
            String journal = Files.readString(dir.resolve("r/journal.jsonl"));
            assertTrue(
                    journal.contains("\"event\":\"step-interrupted\",\"step\":\"tree\""), journal);
            assertTrue(journal.contains("\"interrupted\":true"), journal);
            assertTrue(run.output().contains("interrupted tree"), run.output());
            assertTrue(run.output().contains("gpuflow run --resume r"), run.output());
            assertFalse(journal.contains("\"step\":\"later\""), journal);
        }
    }

    @Test
    void killedItLeavesNoProcess() throws Exception {
        Files.writeString(dir.resolve("tree.yaml"), TREE.replace("NAP", NAP));
        try (RunProcess run = RunProcess.start(dir, "run", "tree.yaml", "--run-dir", "r")) {
            await(run, dir.resolve("ready"));
            run.signal("KILL");
            run.exit();
        }
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!RunProcess.processesWith(NAP).isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
        assertEquals(List.of(), RunProcess.processesWith(NAP));
        try (RunProcess report = RunProcess.start(dir, "report", "r")) {
            assertEquals(0, report.exit(), report.output());
            assertTrue(report.output().contains("gpuflow ended before the run did"));
            assertTrue(report.output().contains("gpuflow run --resume r"), report.output());
        }
    }

    @Test
    void killedAnywhereItResumesAndRunsNothingTwiceThatHadPassed() throws Exception {
        StringBuilder flow = new StringBuilder("gpuflow: 1\nsteps:\n");
        int steps = 8;
        for (int i = 0; i < steps; i++) {
            flow.append("  - { id: s").append(i);
            flow.append(", sh: \"sleep 0.1; echo s").append(i).append(" >> marks\" }\n");
        }
        Files.writeString(dir.resolve("flow.yaml"), flow);
        Random random = new Random(20261129);
        Path journal = dir.resolve("r/journal.jsonl");
        for (int kill = 0; kill < 4; kill++) {
            try (RunProcess run = startOrResume(journal)) {
                long wait = 300 + random.nextInt(700);
                // From the moment the journal is there, so that a slow machine is killed inside.
                await(run, journal);
                Thread.sleep(wait);
                run.signal("KILL");
                run.exit();
            }
        }
        try (RunProcess run = startOrResume(journal)) {
            assertEquals(0, run.exit(), run.output());
        }
        List<String> lines = Files.readAllLines(journal);
        for (int i = 0; i < steps; i++) {
            String step = "\"step\":\"s" + i + "\"";
            boolean passed = false;
            int attempts = 0;
            for (String line : lines) {
                boolean attempt = line.contains("attempt-started") && line.contains(step);
                assertFalse(attempt && passed, "s" + i + " ran after it had passed");
                attempts += attempt ? 1 : 0;
                passed |=
                        line.contains(step)
                                && line.contains("\"state\":\"passed\"")
                                && line.contains("step-ended");
            }
            assertTrue(passed, "s" + i + " never passed");
            String mark = "s" + i;
            long marks =
                    Files.readAllLines(dir.resolve("marks")).stream().filter(mark::equals).count();
            assertTrue(marks >= 1 && marks <= attempts, mark + ": " + marks + " of " + attempts);
        }
    }

    private RunProcess startOrResume(Path journal) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "flow.yaml"));
        boolean begun = Files.exists(journal) && Files.size(journal) > 0;
        arguments.addAll(begun ? List.of("--resume", "r") : List.of("--run-dir", "r"));
        return RunProcess.start(dir, arguments.toArray(new String[0]));
    }

    private static void await(RunProcess run, Path file) throws InterruptedException {
        long deadline = System.nanoTime() + 40_000_000_000L;
        while (!Files.exists(file)) {
            if (!run.alive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("no " + file + ": " + run.output());
            }
            Thread.sleep(20);
        }
    }
}
