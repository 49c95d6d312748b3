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

    @Test
    void shippedCasesFit() throws IOException {
        Map<String, Object> schema = FileKind.CASES.schema.get();
        try (Stream<Path> walk = Files.walk(HOME.resolve("rules"))) {
            for (Path file : walk.filter(f -> f.endsWith("cases.yaml")).toList()) {
                assertEquals(List.of(), problems(schema, file), file::toString);
            }
        }
    }

    @Test
    void policiesFit() throws IOException {
        Map<String, Object> schema = FileKind.SITE.schema.get();
        Path made = Files.createTempFile("site", ".yaml");
        Files.writeString(
                made,
                """
                gpuflow-site: 1
                set:
                  - { rule: a-rule, to: { x: 0.5, y: [a] }, level: info, because: so, until: 2027-01-31 }
                ignore: [{ rule: b-rule, because: so }]
                except: [{ rule: c-rule, if: 'size(facts.gpu) == 2', because: so }]
                expected:
                  - machine: h200x2
                    if: 'size(facts.gpu) == 2'
                    figures: { all_reduce: { target: 339, warn: -10%, fail: -25% } }
                    because: so
                add: [{ rules: rules/, because: ours }]
                """);
        assertEquals(List.of(), problems(schema, made));
        Files.writeString(made, "gpuflow-site: 2\nignor: []\nset: [{ rule: a-rule, to: 3 }]\n");
        assertFalse(problems(schema, made).isEmpty());
        Files.delete(made);
        try (Stream<Path> walk = Files.walk(HOME.resolve("examples"), 2)) {
            for (Path file : walk.filter(f -> f.endsWith("site.yaml")).toList()) {
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
