package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Judgement;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.CaseRunner;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
                .map(f -> DynamicContainer.dynamicContainer(f.id(), tests(f, runner, rules)));
    }

    private static List<DynamicTest> tests(
            RuleFolder folder, CaseRunner runner, LoadedRules rules) {
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
        tests.add(
                DynamicTest.dynamicTest(
                        "a quiet case is a near miss: all that the rule needs is there",
                        () ->
                                assertTrue(
                                        cases.stream().anyMatch(c -> isNear(folder, c, rules)),
                                        folder.label() + " has no near miss")));
        CaseRunner without = without(folder.id(), rules);
        for (RuleCase c : cases) {
            tests.add(
                    DynamicTest.dynamicTest(
                            c.name() + ": fails when the rule is deleted",
                            () -> assertFalse(without.run(folder.id(), c).passed(), c.at())));
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

    private static boolean isNear(RuleFolder folder, RuleCase c, LoadedRules rules) {
        List<Fact> facts = new ArrayList<>();
        c.given().forEach(o -> facts.add(o.fact()));
        c.samples().forEach(name -> RuleFiles.sample(name).forEach(o -> facts.add(o.fact())));
        return c.expect().outcome() == RuleCase.Outcome.QUIET
                && rules.unmet(folder.card(), facts).isEmpty();
    }

    /** The runner as it would be if the rule's folder were deleted. */
    private static CaseRunner without(String rule, LoadedRules rules) {
        Set<String> others = new HashSet<>(rules.cards().keySet());
        others.remove(rule);
        RuleBook book =
                (facts, areas) -> {
                    Judgement all = rules.judge(facts, areas);
                    return new Judgement(
                            all.verdicts().stream().filter(v -> !v.id().equals(rule)).toList(),
                            all.advice().stream().filter(a -> !a.rule().equals(rule)).toList(),
                            all.untold().stream().filter(u -> !u.rule().equals(rule)).toList(),
                            all.notes());
                };
        return new CaseRunner(book, others, RuleFiles::sample);
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
