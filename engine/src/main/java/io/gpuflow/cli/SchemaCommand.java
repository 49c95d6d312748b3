package io.gpuflow.cli;

import io.gpuflow.report.JsonPrinter;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the JSON Schema of a kind of file. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        description = {
            "Prints JSON Schema (draft 7), so that an editor completes and checks a file.",
            "For the YAML language server, the first line of a workflow is then:",
            "  # yaml-language-server: $schema=FILE"
        },
        footer = {"", "Exit code: 0 printed; 2 there is no such kind."})
final class SchemaCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "KIND",
            arity = "0..1",
            defaultValue = "workflow",
            description = "workflow (by default), rule or cases")
    private String kind;

    @Override
    public Integer call() throws IOException {
        FileKind wanted = FileKind.named(kind);
        if (wanted == null) {
            String kinds =
                    Arrays.stream(FileKind.values())
                            .map(k -> k.word)
                            .collect(Collectors.joining(", "));
            System.err.println("gpuflow schema: no kind " + kind + "; there are: " + kinds);
            return ExitCode.USAGE;
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "gpuflow " + wanted.word);
        schema.putAll(wanted.schema.get());
        JsonPrinter.print(schema, System.out);
        return ExitCode.OK;
    }
}
