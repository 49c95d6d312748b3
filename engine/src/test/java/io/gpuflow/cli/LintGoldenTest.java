package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.report.GraphText;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problems;
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

/**
 * Each err/NAME.yaml gives exactly the problems of err/NAME.out; each ok/NAME.yaml gives none and
 * is drawn as ok/NAME.out. With -Dgolden.update=true the .out files are rewritten.
 */
class LintGoldenTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("gpuflow.home"))
                    .resolve("engine/src/test/resources/workflows/lint");

    @TestFactory
    Stream<DynamicTest> goldens() throws IOException {
        return files().filter(f -> f.toString().endsWith(".yaml"))
                .map(f -> dynamicTest(FOLDER.relativize(f).toString(), () -> check(f)));
    }

    @TestFactory
    Stream<DynamicTest> noOutputWithoutItsWorkflow() throws IOException {
        return files().filter(f -> f.toString().endsWith(".out"))
                .map(
                        f ->
                                dynamicTest(
                                        FOLDER.relativize(f).toString(),
                                        () -> assertTrue(Files.exists(sibling(f, ".yaml")))));
    }

    private static Stream<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(FOLDER)) {
            List<Path> files = walk.filter(Files::isRegularFile).sorted().toList();
            return files.stream();
        }
    }

    private static void check(Path file) throws IOException {
        Problems problems = new Problems();
        String name = file.getFileName().toString();
        WorkflowReader reader = new WorkflowReader(Catalogs.shipped());
        Workflow workflow = reader.read(name, Files.readString(file), problems);
        boolean ok = file.getParent().endsWith("ok");
        assertEquals(ok, problems.isEmpty(), () -> printed(problems));
        String actual = ok ? GraphText.of(workflow) : printed(problems);
        Path golden = sibling(file, ".out");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(golden, actual);
        }
        assertEquals(Files.readString(golden), actual);
    }

    private static String printed(Problems problems) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ProblemPrinter.print(problems, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Path sibling(Path file, String extension) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.substring(0, name.lastIndexOf('.')) + extension);
    }
}
