package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each site policy among the examples: the command of its README says what expected.txt wants, and
 * every case of its own rules holds.
 */
class PolicyExamplesTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    @TempDir Path temp;

    @TestFactory
    Stream<DynamicTest> sayWhatTheyShould() throws IOException {
        return examples().map(e -> DynamicTest.dynamicTest(e.getFileName() + "", () -> run(e)));
    }

    @TestFactory
    Stream<DynamicTest> casesHold() throws IOException {
        return examples().map(e -> DynamicTest.dynamicTest(e.getFileName() + "", () -> cases(e)));
    }

    private static Stream<Path> examples() throws IOException {
        List<Path> examples;
        try (Stream<Path> all = Files.list(HOME.resolve("examples"))) {
            examples = all.filter(e -> Files.exists(e.resolve("site.yaml"))).sorted().toList();
        }
        assertTrue(examples.size() >= 4, examples.toString());
        return examples.stream();
    }

    /** The command that the README shows, with a folder for the run. */
    private List<String> command(Path example) throws IOException {
        for (String line : Files.readAllLines(example.resolve("README.md"))) {
            if (line.startsWith("$ ./gpuflow ")) {
                List<String> argv = new ArrayList<>();
                for (String word : line.substring("$ ./gpuflow ".length()).split(" ")) {
                    Path shipped = HOME.resolve(word);
                    argv.add(word.contains("/") ? shipped.toString() : word);
                }
                argv.addAll(List.of("--run-dir", temp.resolve(example.getFileName()).toString()));
                return argv;
            }
        }
        throw new AssertionError(example + " shows no command");
    }

    private void run(Path example) throws IOException {
        List<String> expected = Files.readAllLines(example.resolve("expected.txt"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        int exit;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            exit = Main.run(command(example).toArray(String[]::new));
        } finally {
            System.setOut(before);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertEquals(expected.get(0), "exit " + exit, text);
        int from = Math.max(0, text.indexOf("Nothing was run here"));
        for (String line : expected.subList(1, expected.size())) {
            int at = text.indexOf(line, from);
            assertTrue(at >= 0, "not said, or not in this place: " + line + "\n" + text);
            from = at;
        }
    }

    private void cases(Path example) throws IOException {
        Problems problems = new Problems();
        SiteRules site =
                SiteRules.load(
                        example.resolve("site.yaml"),
                        ShippedRules.cards(),
                        new SiteRules.Setup(LocalDate.of(2026, 12, 1), List.of(), null, text -> {}),
                        problems);
        LoadedRules rules = ShippedRules.loaded(site.policy());
        CaseRunner runner = new CaseRunner(rules, rules.cards().keySet(), RuleFiles::sample);
        List<String> differences = new ArrayList<>();
        for (var check : site.checks().values()) {
            check.cases().forEach(c -> differences.addAll(run(runner, check.id(), c)));
        }
        for (Path folder : site.folders().values()) {
            RuleFolder rule = RuleFolder.read(folder, folder.toString(), problems);
            rule.cases(problems).forEach(c -> differences.addAll(run(runner, rule.id(), c)));
        }
        assertEquals(List.of(), problems.all());
        assertEquals(List.of(), site.ownProblems().all());
        assertEquals(List.of(), site.policy().broken());
        assertEquals(List.of(), differences);
    }

    private static List<String> run(CaseRunner runner, String id, RuleCase c) {
        return runner.run(id, c).differences().stream().map(d -> c.at() + ": " + d).toList();
    }
}
