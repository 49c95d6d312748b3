package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.flow.Inputs;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunEvents;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.flow.RunSetup;
import io.gpuflow.flow.Runner;
import io.gpuflow.flow.Secrets;
import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.parse.Parsers;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.BadRecording;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Runs setup.yaml over a recording, unseen and without a trace, for the facts it brings. */
final class Replay {
    private static final Path SETUP = Path.of("workflows/setup.yaml");

    /** What the recorded machine brought, and how its run went. */
    record Result(List<Observed> facts, Ledger ledger) {}

    private Replay() {}

    static Result of(Path recording) throws Refused, IOException {
        Problems problems = new Problems();
        Workflow read =
                new WorkflowReader(Catalogs.shipped()).read(GpuflowHome.find(SETUP), problems);
        if (read == null) {
            throw new Refused(ExitCode.USAGE, problems.all().get(0).toString());
        }
        Inputs.Given given = Inputs.of(read, Map.of());
        try (Machine tools = Machine.open(recording, null, List.of());
                RunFolders held = RunFolders.temporary(read)) {
            RunSetup setup =
                    new RunSetup(
                            read,
                            given.values(),
                            tools.tools(),
                            tools.recording(),
                            BuiltIns::named,
                            Parsers::named,
                            new RuleLoading(read, () -> Policy.shipped(ShippedRules.cards())),
                            Version.text(),
                            false,
                            false,
                            new Secrets(List.of()),
                            RunEvents.NONE,
                            InstantSource.system());
            try (Runner runner = Runner.open(setup, held.folder())) {
                Ledger ledger = runner.run();
                runner.ended(null);
                return new Result(RunFacts.of(held.folder().path()), ledger);
            }
        } catch (BadRecording e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        }
    }
}
