package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.report.GraphPrinter;
import io.gpuflow.report.GraphText;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a file, reading it ends soon and in words. The same files each time. */
class LintFuzzTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());
    private static final WorkflowReader READER = new WorkflowReader(Catalogs.shipped());

    /** Pieces that mean something to YAML, to expressions, to workflows, or to a terminal. */
    private static final List<String> PIECES =
            List.of(
                    ": ",
                    "- ",
                    "? ",
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    "&a ",
                    "*a",
                    "!",
                    "!!int ",
                    "|\n",
                    ">-\n",
                    "'",
                    "\"",
                    "#",
                    "%",
                    "@",
                    "`",
                    "\t",
                    "\n",
                    "\n\n",
                    "\r",
                    "  ",
                    "---\n",
                    "...\n",
                    "<<: ",
                    "~",
                    "null",
                    "true",
                    "0x",
                    "${{",
                    "}}",
                    "steps.",
                    "inputs.",
                    "out.",
                    "matrix.",
                    "all",
                    "if: ",
                    "needs: ",
                    "with: ",
                    "\u0000",
                    "\u0007",
                    "\u001b[2J",
                    "\u202e",
                    "\ufeff",
                    "😀",
                    "\ud83d",
                    "\u0085",
                    "\u2028",
                    "é");

    @TempDir Path folder;

    private static List<String> seeds() throws IOException {
        List<String> seeds = new ArrayList<>();
        for (String place : List.of("workflows", "engine/src/test/resources/workflows/lint")) {
            try (Stream<Path> walk = Files.walk(HOME.resolve(place))) {
                for (Path file :
                        walk.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                    seeds.add(Files.readString(file));
                }
            }
        }
        return seeds;
    }

    @Test
    void damagedWorkflowsAreRefusedInWords() throws IOException {
        List<String> seeds = seeds();
        Random random = new Random(11);
        assertTimeoutPreemptively(
                Duration.ofSeconds(120),
                () -> {
                    for (int n = 0; n < 2500; n++) {
                        String text = seeds.get(n % seeds.size());
                        for (int edits = 1 + random.nextInt(5); edits > 0; edits--) {
                            text = edited(text, random);
                        }
                        read(text);
                    }
                });
    }

    private static String edited(String text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(12));
        String piece = PIECES.get(random.nextInt(PIECES.size()));
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, from) + text.substring(to);
            case 1 -> text.substring(0, to) + text.substring(from);
            case 2 -> text.substring(0, from) + piece + text.substring(to);
            default -> text.substring(0, from) + piece + text.substring(from);
        };
    }

    private static void read(String text) {
        try {
            Problems problems = new Problems();
            Workflow workflow = READER.read("f.yaml", text, problems);
            assertEquals(workflow == null, !problems.isEmpty(), text);
            Position last = new Position(1, 1);
            for (Problem problem : problems.all()) {
                Position at = new Position(problem.at().line(), problem.at().column());
                assertTrue(at.line() >= last.line(), text);
                assertTrue(at.column() >= 1 && !problem.says().isBlank(), text);
                last = at;
            }
            ProblemPrinter.print(problems, NOWHERE);
            if (workflow != null) {
                assertFalse(GraphText.of(workflow).isEmpty());
                assertFalse(GraphPrinter.dot(workflow).isEmpty());
                assertFalse(GraphPrinter.mermaid(workflow).isEmpty());
            }
        } catch (RuntimeException | StackOverflowError e) {
            fail("not refused in words:\n" + text, e);
        }
    }

    private record Position(int line, int column) {}

    @Test
    void filesOfNoiseAreRefusedInWords() throws IOException {
        Random random = new Random(12);
        Path file = folder.resolve("noise.yaml");
        for (int n = 0; n < 300; n++) {
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            random.nextBytes(bytes);
            if (n % 2 == 0) {
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (" \n:-{}[],a1&*!|>'\"%@`#".charAt(Math.abs(bytes[i] % 22)));
                }
            }
            Files.write(file, bytes);
            Problems problems = new Problems();
            YamlDocument document = YamlDocument.read(file, problems);
            assertTrue(document != null || !problems.isEmpty());
        }
    }

    @Test
    void hugeWorkflowsEndSoon() {
        StringBuilder steps = new StringBuilder("gpuflow: 1\nsteps:\n");
        for (int i = 0; i < 500; i++) {
            steps.append("  - { id: s").append(i).append(", cmd: [x, \"${{ steps.s0.state }}\"],");
            steps.append(" after: all, matrix: { a: [1, 2] }, if: 'steps.s0.state == \"x\"' }\n");
        }
        String oneLine =
                "gpuflow: 1\nsteps: [{ id: a, cmd: [" + "\"${{ x\", ".repeat(60_000) + "] }]";
        String keys = "gpuflow: 1\n" + "k: 1\n".repeat(100_000);
        StringBuilder unknown = new StringBuilder("gpuflow: 1\n");
        for (int i = 0; i < 60_000; i++) {
            unknown.append('k').append(i).append(": 1\n");
        }
        StringBuilder many = new StringBuilder("gpuflow: 1\nsteps:\n");
        for (int i = 0; i < 30_000; i++) {
            many.append("- {id: s").append(i).append(", uses: probe}\n");
        }
        String dashes = "a: " + "-".repeat(900_000) + ": b: c";
        String slashes =
                "gpuflow: 1\nsteps: [{ id: a, cmd: [x], extract: { json: { a: "
                        + "/".repeat(900_000)
                        + " } } }]";
        String ids =
                "gpuflow: 1\nx: &x "
                        + "a".repeat(500_000)
                        + "\nsteps: [{ id: b, cmd: [x], needs: ["
                        + "*x, ".repeat(1000)
                        + "] }]";
        String comments = "#".repeat(1_000_000);
        String text = "gpuflow: 1\nabout: '" + "x ".repeat(500_000) + "'\nsteps: []";
        String quotes = "gpuflow: 1\nabout: " + "\"\" ".repeat(300_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(120),
                () -> {
                    List<String> all =
                            List.of(
                                    steps.toString(),
                                    oneLine,
                                    keys,
                                    unknown.toString(),
                                    comments,
                                    many.toString(),
                                    dashes,
                                    slashes,
                                    ids,
                                    text,
                                    quotes);
                    all.forEach(LintFuzzTest::read);
                });
    }

    @Test
    void eachKindOfBadFileIsExit2() throws IOException {
        byte[] binary = {0x7f, 'E', 'L', 'F', 0, 1, 2};
        byte[] latin = "gpuflow: 1\nabout: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] large = new byte[100_000_000];
        for (byte[] bytes : List.of(binary, latin, large, new byte[0])) {
            Path file = Files.write(folder.resolve("bad.yaml"), bytes);
            assertEquals(ExitCode.USAGE, Main.run("lint", file.toString()));
            assertEquals(ExitCode.USAGE, Main.run("graph", file.toString()));
        }
        assertEquals(ExitCode.USAGE, Main.run("lint", folder.resolve("none").toString()));
        assertEquals(ExitCode.USAGE, Main.run("lint", folder.toString()));
        assertEquals(ExitCode.USAGE, Main.run("lint", "/dev/zero"));
        assertEquals(ExitCode.USAGE, Main.run("lint"));
        assertEquals(ExitCode.USAGE, Main.run("schema", "nothing"));
        assertEquals(
                ExitCode.OK, Main.run("lint", HOME.resolve("workflows/setup.yaml").toString()));
    }
}
