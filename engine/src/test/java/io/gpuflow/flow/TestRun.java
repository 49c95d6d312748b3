package io.gpuflow.flow;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs workflows of made steps with fake actions, tools and rules. */
final class TestRun {
    final Map<String, Action> actions = new HashMap<>();
    final List<String> began = Collections.synchronizedList(new ArrayList<>());
    Map<String, Object> inputs = Map.of();
    RuleBook rules = (facts, areas) -> judgement(List.of());
    Tools tools = new FakeTools(call -> FakeTools.exited(call, 0, "", ""));
    Secrets secrets = Secrets.NONE;
    boolean allowChange;
    boolean dryRun;
    String version = "0.1.0";
    private final Path folder;

    TestRun(Path folder) {
        this.folder = folder;
    }

    /** An action that does nothing but end in this state. */
    TestRun action(String name, State state, Object... nameAndValue) {
        Map<String, Object> out = new HashMap<>();
        for (int i = 0; i < nameAndValue.length; i += 2) {
            out.put((String) nameAndValue[i], nameAndValue[i + 1]);
        }
        return action(
                name, c -> new Action.Outcome(state, name + " " + state.word(), List.of(), out));
    }

    TestRun action(String name, Action action) {
        actions.put(
                name,
                context -> {
                    began.add(context.step());
                    return action.run(context);
                });
        return this;
    }

    Ledger run(Workflow workflow) {
        try (Runner runner = open(workflow)) {
            Ledger ledger = runner.run();
            runner.ended(0);
            return ledger;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Runner open(Workflow workflow) throws IOException {
        return open(workflow, RunEvents.NONE);
    }

    Runner open(Workflow workflow, RunEvents events) throws IOException {
        RunFolder held =
                Files.exists(folder.resolve(RunFolder.JOURNAL))
                        ? RunFolder.open(folder)
                        : RunFolder.createAt(folder);
        RunSetup setup =
                new RunSetup(
                        workflow,
                        inputs,
                        tools,
                        null,
                        actions::get,
                        kind -> null,
                        () -> rules,
                        version,
                        allowChange,
                        dryRun,
                        secrets,
                        events,
                        InstantSource.fixed(Instant.parse("2026-11-29T15:32:51Z")));
        return Runner.open(setup, held);
    }

    /** What a step came to: {@code failed: exit 3}. */
    static String state(Ledger ledger, String step) {
        Ledger.StepLog log = ledger.of(step);
        return log.state() == null ? null : log.state().word() + ": " + log.reason();
    }

    static Judgement judgement(List<Verdict> verdicts, Advice... advice) {
        return new Judgement(verdicts, List.of(advice), List.of(), List.of());
    }

    static Judgement untold(String rule, String what, String why) {
        Judgement.Untold untold =
                new Judgement.Untold(rule, "hardware", List.of(new Unknown(what, why)));
        return new Judgement(List.of(), List.of(), List.of(untold), List.of());
    }

    static Verdict verdict(String id, Verdict.Level level, Map<String, Object> values) {
        return new Verdict(
                id,
                "bench",
                null,
                Verdict.Role.ROOT,
                level,
                null,
                1,
                List.of(),
                List.of(),
                id + " says so",
                "",
                List.of(),
                List.of(),
                List.of(),
                values);
    }

    static Observed observed(io.gpuflow.facts.Fact fact) {
        return new Observed(fact, Source.of("test"));
    }
}
