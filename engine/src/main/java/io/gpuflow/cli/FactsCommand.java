package io.gpuflow.cli;

import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.parse.Reading;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ValuesPrinter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads saved output of GPU tools and prints what it says. */
@Command(
        name = "facts",
        mixinStandardHelpOptions = true,
        description = "Reads saved output of GPU tools and prints what it says.",
        footer = {
            "",
            "Exit code: 0 every file was read; 2 wrong usage or no such file; 3 a file could not be"
                    + " understood."
        })
final class FactsCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "output of a tool, as text or JSON; - for standard input")
    private List<Path> files;

    @Option(names = "--json", description = "print a list with one object a file")
    private boolean json;

    @Option(names = "--as", paramLabel = "KIND", description = "read every file as this kind")
    private String kind;

    private int exit = ExitCode.OK;

    @Override
    public Integer call() throws IOException {
        Parser<?> wanted = kind == null ? null : Parsers.named(kind);
        if (kind != null && wanted == null) {
            System.err.println("gpuflow facts: no kind " + kind + "; there are " + Parsers.kinds());
            return ExitCode.USAGE;
        }
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Path file : files) {
            objects.add(object(file, wanted));
        }
        if (json) {
            JsonPrinter.print(objects, System.out);
        } else {
            ValuesPrinter.print(objects, System.out);
        }
        return exit;
    }

    private Map<String, Object> object(Path file, Parser<?> wanted) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("file", file.toString());
        object.put("kind", null);
        String text;
        try {
            text = InputFile.text(file);
        } catch (InputFile.Unreadable unreadable) {
            object.put("error", unreadable.getMessage());
            exit = ExitCode.USAGE;
            return object;
        }
        Reading reading = wanted == null ? Reading.of(text) : Reading.as(wanted, text);
        object.putAll(reading.values());
        if (reading.kinds().isEmpty()) {
            object.put("error", "not recognised; name its kind with --as: " + Parsers.kinds());
        }
        if (reading.error() != null) {
            untold();
        }
        return object;
    }

    private void untold() {
        exit = exit == ExitCode.OK ? ExitCode.UNTOLD : exit;
    }
}
