package io.gpuflow.flow.lint;

import io.gpuflow.flow.Extract;
import io.gpuflow.flow.OwnParser;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlDocument;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file of a site's own parsers: {@code inlet: { regex: "inlet=(?P<celsius>[0-9]+)" }}. */
public final class ParserFile {
    private ParserFile() {}

    /**
     * What the file must look like: from the name that {@code parse:} takes to what it takes out.
     */
    public static Shape<Map<String, Extract>> shape() {
        return Shapes.map(Shapes.id(), ExtractTable.SHAPE);
    }

    /** The parsers of a file, by name; those that were reported are left out. */
    public static Map<String, OwnParser> read(Path file, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        Map<String, Extract> read =
                document == null ? null : shape().read(document.root(), problems);
        Map<String, OwnParser> parsers = new LinkedHashMap<>();
        if (read != null) {
            read.forEach((name, extract) -> parsers.put(name, new OwnParser(name, extract)));
        }
        return parsers;
    }
}
