package io.gpuflow.cli;

import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.JsonTree;
import io.gpuflow.advise.ModelReader;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlDocument;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A model's description in a file: config.json, or sizes in YAML.
 *
 * @param text the file as it is when it is JSON, else null
 */
record ModelFile(ModelShape shape, String text) {
    /** More than any description of a model has. */
    private static final long LARGEST = 1 << 20;

    static ModelFile read(Path given) throws Refused {
        Path path = Files.isDirectory(given) ? given.resolve("config.json") : given;
        try {
            if (Files.isRegularFile(path) && Files.size(path) > LARGEST) {
                throw refused(path + ": larger than 1 MiB; expected a model's config.json");
            }
            String text = InputFile.text(path);
            boolean json = text.stripLeading().startsWith("{");
            Map<String, Object> tree =
                    json ? JsonTree.read(path.toString(), text) : yaml(path.toString(), text);
            return new ModelFile(ModelReader.read(path.toString(), tree), json ? text : null);
        } catch (BadModel e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        } catch (InputFile.Unreadable e) {
            throw refused(path + ": " + e.getMessage());
        } catch (IOException e) {
            throw refused(path + ": cannot be read");
        }
    }

    private static Map<String, Object> yaml(String name, String text) throws Refused, IOException {
        Problems problems = new Problems();
        YamlDocument document = YamlDocument.parse(name, text, problems);
        Map<String, Object> tree =
                document == null
                        ? null
                        : Shapes.mapOfAny(Shapes.any()).read(document.root(), problems);
        if (tree == null || !problems.isEmpty()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ProblemPrinter.print(problems, new PrintStream(out, true, StandardCharsets.UTF_8));
            throw new Refused(ExitCode.USAGE, out.toString(StandardCharsets.UTF_8).strip());
        }
        return tree;
    }

    private static Refused refused(String why) {
        return new Refused(ExitCode.USAGE, List.of(why));
    }
}
