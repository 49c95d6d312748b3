package io.gpuflow.cli;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.yaml.Problems;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The kinds of YAML files that people write for gpuflow: how one is checked and described. To add
 * one, add a constant.
 */
enum FileKind {
    WORKFLOW("workflow", FileKind::workflow, () -> new WorkflowReader(Catalogs.shipped()).schema());

    /** The word on the command line. */
    final String word;

    /** Reads a file and says in a few words what is in it; null when problems were reported. */
    final BiFunction<Path, Problems, String> check;

    /** JSON Schema without its head. */
    final Supplier<Map<String, Object>> schema;

    FileKind(
            String word,
            BiFunction<Path, Problems, String> check,
            Supplier<Map<String, Object>> schema) {
        this.word = word;
        this.check = check;
        this.schema = schema;
    }

    /** The kind with this word, or null. */
    static FileKind named(String word) {
        for (FileKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        return null;
    }

    private static String workflow(Path file, Problems problems) {
        Workflow workflow = new WorkflowReader(Catalogs.shipped()).read(file, problems);
        if (workflow == null) {
            return null;
        }
        int steps = workflow.steps().size();
        return steps == 1 ? "1 step" : steps + " steps";
    }
}
