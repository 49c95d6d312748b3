package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.probe.Survey;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.tool.BadRecording;
import io.gpuflow.tool.RecordedTools;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The rule folders of this gpuflow and the samples that their cases name. */
final class RuleFiles {
    private static final Path RULES = Path.of("rules");
    private static final Path SAMPLES = Path.of("engine/samples");

    private RuleFiles() {}

    /** gpuflow's own rules, also where a folder of the site's is named so. */
    private static Path own() {
        return Path.of(System.getProperty("gpuflow.home", ".")).resolve(RULES);
    }

    /** All rule folders of gpuflow, in order of path. */
    static List<RuleFolder> folders(Problems problems) throws IOException {
        return folders(null, problems);
    }

    /**
     * All rule folders, in order of path.
     *
     * @param named a folder with AREA/ID/ below it, or null for gpuflow's own
     */
    static List<RuleFolder> folders(Path named, Problems problems) throws IOException {
        Path rules = named != null ? named : own();
        if (!Files.isDirectory(rules)) {
            problems.file(
                    rules.toString(),
                    "there is no such folder",
                    named != null
                            ? "name one with AREA/ID/rule.drl below it"
                            : "start gpuflow as installed");
            return List.of();
        }
        return RuleFolder.readAll(rules.toAbsolutePath().normalize(), problems);
    }

    /** Ids of the rules that have a folder there, readable or not, and AREA/* for each area. */
    static Set<String> names(Path named) throws IOException {
        Path rules = named != null ? named : own();
        return Files.isDirectory(rules) ? RuleFolder.names(rules) : Set.of();
    }

    /** The folder of gpuflow's log signatures. */
    static Path signatures() {
        return own().resolve("signatures");
    }

    /** The vocabulary of causes; empty where it is not at hand. */
    static Set<String> causes() throws IOException {
        return RuleFolder.causes(own());
    }

    /** Text of a rule's rule.drl. */
    static String drl(String area, String id) throws IOException {
        return Files.readString(own().resolve(area).resolve(id).resolve("rule.drl"));
    }

    /** Whether all samples of a case are here; those below engine/samples are in a clone alone. */
    static boolean samplesHere(RuleCase c) {
        return c.samples().stream()
                .map(name -> name.startsWith("examples/") ? Path.of(name) : SAMPLES.resolve(name))
                .allMatch(path -> Files.exists(GpuflowHome.find(path)));
    }

    /** Recordings are asked once: many cases look at the same machine. */
    private static final Map<String, List<Observed>> RECORDED = new ConcurrentHashMap<>();

    /**
     * Facts of a sample, by the parser that its folder names, else by the one that knows it; of
     * examples/NAME/recording, what a probe of that machine brings.
     */
    static List<Observed> sample(String name) {
        if (name.startsWith("examples/")) {
            return RECORDED.computeIfAbsent(name, RuleFiles::recorded);
        }
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

    private static List<Observed> recorded(String name) {
        try {
            RecordedTools tools = RecordedTools.open(GpuflowHome.find(Path.of(name)), List.of());
            return new Survey().ask(tools, (stderr, text) -> {});
        } catch (BadRecording e) {
            throw new IllegalStateException("the recording " + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
