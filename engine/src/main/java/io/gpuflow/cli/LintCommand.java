package io.gpuflow.cli;

import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells every problem in workflow files. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description = {
            "Tells every problem in workflow files, with its position and what to do.",
            "A file called rule.yaml, cases.yaml or site.yaml is read as such; gpuflow rules lint"
                    + " checks whole rules."
        },
        footer = {"", "Exit code: 0 no problem; 2 a file is not valid or can't be read."})
final class LintCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "workflow files, site.yaml, rule.yaml, cases.yaml")
    private List<Path> files;

    @Option(names = "--json", description = "print a list with one object a problem")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Problems problems = new Problems();
        for (Path file : files) {
            int before = problems.count();
            String what = FileKind.of(file).check.apply(WorkflowFile.find(file), problems);
            if (!json && problems.count() == before) {
                System.out.println(file + ": " + what + ", no problems");
            }
        }
        if (json) {
            JsonPrinter.print(ProblemPrinter.values(problems), System.out);
        } else {
            ProblemPrinter.print(problems, System.out);
        }
        return problems.isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }
}
