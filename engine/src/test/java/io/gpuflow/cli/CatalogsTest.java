package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.step.StepCatalog;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the catalog says is there, is there. */
class CatalogsTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));

    @Test
    void eachActionOfTheCatalogCanBeLoaded() {
        for (String name : StepCatalog.all().keySet()) {
            assertNotNull(BuiltIns.named(name), name);
        }
    }

    @Test
    void eachFolderOfRulesIsAnArea() throws IOException {
        Set<String> areas = Catalogs.shipped().areas().get();
        try (Stream<Path> walk = Files.walk(HOME.resolve("rules"), 3)) {
            walk.filter(f -> f.endsWith("rule.yaml"))
                    .map(f -> f.getParent().getParent().getFileName().toString())
                    .forEach(area -> assertTrue(areas.contains(area), area));
        }
        assertTrue(!areas.contains("signatures"));
    }

    @Test
    void shippedWorkflowsHaveNoProblems() throws IOException {
        for (Path file : workflows()) {
            Problems problems = new Problems();
            Workflow workflow = new WorkflowReader(Catalogs.shipped()).read(file, problems);
            assertEquals(List.of(), problems.all());
            assertTrue(!workflow.about().isEmpty(), file + " says what it is about");
        }
    }

    @Test
    void theWorkflowOfTheReadmeHasNoProblems() throws IOException {
        String page = Files.readString(HOME.resolve("workflows/README.md"));
        int from = page.indexOf("```yaml\n") + "```yaml\n".length();
        String text = page.substring(from, page.indexOf("```", from));
        Problems problems = new Problems();
        new WorkflowReader(Catalogs.shipped()).read("README.md", text, problems);
        assertEquals(List.of(), problems.all());
    }

    private static List<Path> workflows() throws IOException {
        try (Stream<Path> walk =
                Stream.concat(
                        Files.walk(HOME.resolve("workflows")),
                        Files.walk(HOME.resolve("examples")))) {
            return walk.filter(f -> f.toString().endsWith(".yaml"))
                    .filter(
                            f ->
                                    f.startsWith(HOME.resolve("workflows"))
                                            || f.endsWith("workflow.yaml"))
                    .sorted()
                    .toList();
        }
    }
}
