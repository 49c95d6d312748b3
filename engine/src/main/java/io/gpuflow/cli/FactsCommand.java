package io.gpuflow.cli;

import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.parse.Reading;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ValuesPrinter;
import io.gpuflow.scan.Document;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Reads saved output of GPU tools and prints what it says. */
final class FactsCommand implements Callable<Integer>, DescribedInCode {
    private final PositionalParamSpec files =
            PositionalParamSpec.builder()
                    .paramLabel("FILE")
                    .arity("1..*")
                    .required(true)
                    .type(List.class)
                    .auxiliaryTypes(Path.class)
                    .description("output of a tool, as text or JSON; - for standard input")
                    .build();

    private final OptionSpec json =
            OptionSpec.builder("--json")
                    .type(boolean.class)
                    .description("print a list with one object a file")
                    .build();

    private final OptionSpec kind =
            OptionSpec.builder("--as")
                    .paramLabel("KIND")
                    .type(String.class)
                    .completionCandidates(new Kinds())
                    .description("read every file as this kind: ${COMPLETION-CANDIDATES}")
                    .build();

    @Override
    public CommandSpec spec() {
        return DescribedInCode.of(
                        this,
                        "facts",
                        "Reads saved output of GPU tools and prints what it says.",
                        "Exit code: 0 every file was read; 2 wrong usage or no such file; 3 a file"
                                + " could not be understood.")
                .addPositional(files)
                .addOption(json)
                .addOption(kind);
    }

    /** Asked for help and completion only. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(Parsers.kinds().split(", ")).iterator();
        }
    }

    private int exit = ExitCode.OK;

    @Override
    public Integer call() throws IOException {
        String name = kind.getValue();
        Parser<?> wanted = name == null ? null : Parsers.named(name);
        if (name != null && wanted == null) {
            System.err.println("gpuflow facts: no kind " + name + "; there are " + Parsers.kinds());
            return ExitCode.USAGE;
        }
        List<Map<String, Object>> objects = new ArrayList<>();
        List<Path> paths = files.getValue();
        for (Path file : paths) {
            objects.add(object(file, wanted));
        }
        if (Boolean.TRUE.equals(json.getValue())) {
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
        String document = wanted == null ? Document.kind(text) : null;
        if (document != null) {
            object.put("error", document + ", nor a tool's output; --as KIND reads it as one");
            untold();
            return object;
        }
        Reading reading = wanted == null ? Reading.of(text) : Reading.as(wanted, text);
        object.putAll(reading.values());
        if (reading.kinds().isEmpty()) {
            object.put("error", "not recognised; --as KIND reads it as one (--help lists them)");
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
