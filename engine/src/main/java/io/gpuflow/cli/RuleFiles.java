package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The rule folders of this gpuflow and the samples that their cases name. */
final class RuleFiles {
    private static final Path RULES = Path.of("rules");
    private static final Path SAMPLES = Path.of("engine/samples");

    private RuleFiles() {}

    /** All rule folders, in order of path. */
    static List<RuleFolder> folders(Problems problems) throws IOException {
        Path rules = GpuflowHome.find(RULES);
        if (!Files.isDirectory(rules)) {
            problems.file(
                    RULES.toString(), "there is no such folder", "start gpuflow as installed");
            return List.of();
        }
        return RuleFolder.readAll(rules, problems);
    }

    /** Text of a rule's rule.drl. */
    static String drl(String area, String id) throws IOException {
        return Files.readString(
                GpuflowHome.find(RULES.resolve(area).resolve(id).resolve("rule.drl")));
    }

    /** Facts of a sample, by the parser that its folder names, else by the one that knows it. */
    static List<Observed> sample(String name) {
        Path file = GpuflowHome.find(SAMPLES).resolve(name);
        try {
            String text = Files.readString(file);
            Parser<?> parser = Parsers.named(Path.of(name).getName(0).toString());
            parser = parser == null ? Parsers.of(text) : parser;
            if (parser == null) {
                throw new IllegalStateException("no parser knows the sample " + name);
            }
            return parser.parse(text).facts(name);
        } catch (IOException e) {
            throw new UncheckedIOException("the sample " + name + " can't be read", e);
        }
    }
}
