package io.gpuflow.cli;

import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ResultSchemas;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the JSON Schema of a kind of file or result. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        description = {
            "Prints JSON Schema (draft 7), so that an editor completes and checks a file.",
            "For the YAML language server, the first line of a workflow is then:",
            "  # yaml-language-server: $schema=FILE",
            "run and diagnose are the results that --json prints, for programs that read them."
        },
        footer = {"", "Exit code: 0 printed; 2 there is no such kind."})
final class SchemaCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "KIND",
            arity = "0..1",
            defaultValue = "workflow",
            description =
                    "workflow (by default), rule, cases or site; run or diagnose for what --json prints")
    private String kind;

    @Override
    public Integer call() throws IOException {
        Supplier<Map<String, Object>> wanted = kinds().get(kind);
        if (wanted == null) {
            String known = String.join(", ", kinds().keySet());
            System.err.println("gpuflow schema: no kind " + kind + "; there are: " + known);
            return ExitCode.USAGE;
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "gpuflow " + kind);
        schema.putAll(wanted.get());
        JsonPrinter.print(schema, System.out);
        return ExitCode.OK;
    }

    /** Files that people write, then results that programs read. */
    private static Map<String, Supplier<Map<String, Object>>> kinds() {
        Map<String, Supplier<Map<String, Object>>> kinds = new LinkedHashMap<>();
        for (FileKind kind : FileKind.values()) {
            kinds.put(kind.word, kind.schema);
        }
        kinds.put("run", ResultSchemas::run);
        kinds.put("diagnose", ResultSchemas::diagnose);
        return kinds;
    }
}
