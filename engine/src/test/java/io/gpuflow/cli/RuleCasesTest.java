package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        assertTrue(problems.isEmpty(), () -> words(problems));
        LoadedRules rules = ShippedRules.loaded();
        rules.warm();
        CaseRunner runner = new CaseRunner(rules, rules.cards().keySet(), RuleFiles::sample);
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
                        () -> assertTrue(problems.isEmpty(), words(problems))));
        for (RuleCase.Outcome outcome : RuleCase.Outcome.values()) {
            if (outcome == RuleCase.Outcome.UNKNOWN && folder.card().needs().isEmpty()) {
                continue; // it needs nothing that could be missing
            }
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

    private static List<RuleCase> read(RuleFolder folder, Problems problems) {
        try {
            return folder.cases(problems);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(Problems problems) {
        return String.join(
                "\n", problems.all().stream().map(p -> p.at() + ": " + p.says()).toList());
    }
}
