package io.gpuflow.cli;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.report.GraphPrinter;
import io.gpuflow.report.GraphText;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problems;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the order of a workflow's steps. */
@Command(
        name = "graph",
        mixinStandardHelpOptions = true,
        description = "Draws the order of a workflow's steps.",
        footer = {"", "Exit code: 0 drawn; 2 the file is not valid."})
final class GraphCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "a workflow file")
    private Path file;

    @ArgGroup private Format format;

    private static final class Format {
        @Option(names = "--mermaid", description = "for Markdown and wikis")
        private boolean mermaid;

        @Option(names = "--dot", description = "for Graphviz: gpuflow graph --dot F | dot -Tsvg")
        private boolean dot;
    }

    @Override
    public Integer call() {
        Problems problems = new Problems();
        WorkflowReader reader = new WorkflowReader(Catalogs.shipped());
        Workflow workflow = reader.read(WorkflowFile.find(file), problems);
        if (workflow == null) {
            ProblemPrinter.print(problems, System.err);
            return ExitCode.USAGE;
        }
        if (format == null) {
            System.out.print(GraphText.of(workflow));
        } else {
            System.out.print(
                    format.dot ? GraphPrinter.dot(workflow) : GraphPrinter.mermaid(workflow));
        }
        return ExitCode.OK;
    }
}
