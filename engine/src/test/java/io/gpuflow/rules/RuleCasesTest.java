package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.rules.folder.CaseReader;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.Problems;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.folder.YamlNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of every rule folder: what {@code gpuflow rules test} runs. */
class RuleCasesTest {
    private static final Path RULES = Path.of(System.getProperty("gpuflow.home"), "rules");

    @TestFactory
    Stream<DynamicContainer> cases() throws IOException {
        Problems problems = new Problems();
        List<RuleFolder> folders = RuleFolder.readAll(RULES, problems);
        assertTrue(problems.none(), () -> String.join("\n", problems.lines()));
        LoadedRules rules = ShippedRules.loaded();
        CaseRunner runner = new CaseRunner(rules, rules.cards().keySet(), RuleCasesTest::sample);
        return folders.stream()
                .map(f -> DynamicContainer.dynamicContainer(f.id(), tests(f, runner)));
    }

    private static List<DynamicTest> tests(RuleFolder folder, CaseRunner runner) {
        List<DynamicTest> tests = new ArrayList<>();
        Problems problems = new Problems();
        List<RuleCase> cases = read(folder, problems);
        tests.add(
                DynamicTest.dynamicTest(
                        "its cases can be read",
                        () -> assertTrue(problems.none(), String.join("\n", problems.lines()))));
        for (RuleCase.Outcome outcome : RuleCase.Outcome.values()) {
            tests.add(
                    DynamicTest.dynamicTest(
                            "it has a case " + outcome,
                            () ->
                                    assertTrue(
                                            cases.stream()
                                                    .anyMatch(
                                                            c ->
                                                                    c.expect().outcome()
                                                                            == outcome))));
        }
        for (RuleCase c : cases) {
            tests.add(
                    DynamicTest.dynamicTest(
                            c.name(),
                            () -> {
                                CaseRunner.Result result = runner.run(folder.id(), c);
                                assertTrue(
                                        result.passed(),
                                        c.at() + "\n" + String.join("\n", result.differences()));
                            }));
        }
        return tests;
    }

    static List<RuleCase> read(RuleFolder folder, Problems problems) {
        Path file = folder.folder().resolve("cases.yaml");
        try {
            return new CaseReader(problems)
                    .read(YamlNode.read(folder.label() + "/cases.yaml", Files.readString(file)));
        } catch (IOException e) {
            problems.add(folder.label() + "/cases.yaml", "cannot be read: " + e.getMessage());
            return List.of();
        }
    }

    private static List<Observed> sample(String name) {
        throw new IllegalStateException("no samples yet: " + name);
    }
}
