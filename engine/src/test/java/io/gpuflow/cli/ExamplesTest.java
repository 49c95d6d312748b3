package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each example with a recording is run over it, with its own workflow.yaml or else setup.yaml. Its
 * expected.txt says the exit code, then what the output must say, in this order.
 */
class ExamplesTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    @TempDir Path runs;

    @TestFactory
    Stream<DynamicTest> sayWhatTheyShould() throws IOException {
        List<Path> examples;
        try (Stream<Path> all = Files.list(HOME.resolve("examples"))) {
            examples = all.filter(e -> Files.isDirectory(e.resolve("recording"))).sorted().toList();
        }
        assertTrue(!examples.isEmpty());
        return examples.stream()
                .map(e -> DynamicTest.dynamicTest(e.getFileName().toString(), () -> runs(e)));
    }

    private void runs(Path example) throws IOException {
        Path own = example.resolve("workflow.yaml");
        Path workflow = Files.exists(own) ? own : HOME.resolve("workflows/setup.yaml");
        List<String> expected = Files.readAllLines(example.resolve("expected.txt"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        int exit;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            exit =
                    Main.run(
                            "run",
                            workflow.toString(),
                            "--machine",
                            example.resolve("recording").toString(),
                            "--run-dir",
                            runs.resolve(example.getFileName()).toString());
        } finally {
            System.setOut(before);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertEquals(expected.get(0), "exit " + exit, text);
        int from = Math.max(0, text.indexOf("Nothing was run here"));
        for (String line : expected.subList(1, expected.size())) {
            int at = text.indexOf(line, from);
            assertTrue(at >= 0, "not said, or not in this place: " + line + "\n" + text);
            from = at;
        }
    }
}
