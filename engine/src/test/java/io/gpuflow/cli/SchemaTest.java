package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.SchemaCheck;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * An editor with our schema finds nothing wrong in right workflows, and something in wrong ones.
 */
class SchemaTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final Path LINT = HOME.resolve("engine/src/test/resources/workflows/lint");
    private static final Map<String, Object> SCHEMA = FileKind.WORKFLOW.schema.get();

    @TestFactory
    Stream<DynamicTest> rightWorkflowsFit() throws IOException {
        return Stream.concat(files(LINT.resolve("ok")), files(HOME.resolve("workflows")))
                .map(
                        f ->
                                dynamicTest(
                                        HOME.relativize(f).toString(),
                                        () -> assertEquals(List.of(), problems(f))));
    }

    @Test
    void shippedRulesFit() throws IOException {
        Map<String, Object> schema = FileKind.RULE.schema.get();
        try (Stream<Path> walk = Files.walk(HOME.resolve("rules"))) {
            for (Path file : walk.filter(f -> f.endsWith("rule.yaml")).toList()) {
                assertEquals(List.of(), problems(schema, file), file::toString);
            }
        }
    }

    /** Mistakes that a schema can tell; references and expressions are beyond one. */
    @Test
    void wrongWorkflowsDoNotFit() throws IOException {
        for (String name :
                List.of(
                        "unknown-keys",
                        "wrong-types",
                        "no-steps",
                        "not-a-workflow",
                        "version",
                        "list",
                        "references",
                        "actions",
                        "extract",
                        "booleans")) {
            assertFalse(problems(LINT.resolve("err/" + name + ".yaml")).isEmpty(), name);
        }
    }

    private static Stream<Path> files(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    private static List<String> problems(Path file) {
        return problems(SCHEMA, file);
    }

    private static List<String> problems(Map<String, Object> schema, Path file) {
        YamlDocument document = YamlDocument.read(file, new Problems());
        return SchemaCheck.problems(schema, Shapes.any().read(document.root(), new Problems()));
    }
}
