package io.gpuflow.cli;

import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.Journal;
import io.gpuflow.flow.RunSetup;
import io.gpuflow.flow.Secrets;
import io.gpuflow.step.Diagnose;
import io.gpuflow.tool.BadRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a workflow. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs a workflow and says what it found, on what evidence, and what to do.",
        footer = {
            "",
            "Exit code: 0 usable, there may be warnings; 1 a finding at or above --fail-on, or a"
                    + " step failed; 2 wrong usage or a file that is not valid; 3 it could not be"
                    + " told; 4 gpuflow itself failed; 130 or 143 interrupted."
        })
final class RunCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "WORKFLOW",
            arity = "0..1",
            description = "workflow file; not needed with --resume")
    private Path file;

    @Option(
            names = {"-i", "--input"},
            paramLabel = "NAME=VALUE",
            description = "value of an input of the workflow")
    private List<String> inputs = new ArrayList<>();

    @Option(
            names = "--dry-run",
            description = "run the steps that only read, say what the others would do and why")
    private boolean dryRun;

    @Option(
            names = "--resume",
            arity = "0..1",
            paramLabel = "RUN",
            fallbackValue = RunNames.LAST,
            description = "go on with a run, the last one by default: what still holds is reused")
    private String resume;

    @Option(names = "--machine", paramLabel = "DIR", description = "replay a recording")
    private Path machine;

    @Option(
            names = "--nccl-tests",
            paramLabel = "DIR",
            description =
                    "folder of nccl-tests or rccl-tests, built or not: the same as -i"
                            + " nccl_tests=DIR")
    private String ncclTests;

    @Option(names = "--record", paramLabel = "DIR", description = "record every tool's answers")
    private Path record;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description =
                    "baseline to compare with; by default the one that gpuflow baseline saved of"
                            + " this machine, if any")
    private Path baseline;

    @Option(names = "--no-baseline", description = "compare with no baseline")
    private boolean noBaseline;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "folder of this run; a new one in gpuflow-runs by default")
    private Path folder;

    @Option(
            names = "--fail-on",
            paramLabel = "LEVEL",
            description = "exit 1 for a finding of this level or worse: fail (default), warn, info")
    private Verdict.Level failOn = Verdict.Level.FAIL;

    @Option(names = "--allow-change", description = "run steps that change the machine, too")
    private boolean allowChange;

    @Mixin private SiteOptions site;

    @Option(names = "--json", description = "print the whole result as one JSON document")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        // The second core has nothing to do while the workflow is read.
        Thread warmUp = new Thread(Journal::warmUp, "gpuflow-warm-up");
        warmUp.setDaemon(true);
        warmUp.start();
        try {
            return run();
        } catch (Refused e) {
            return e.told("run");
        } catch (Journal.Lost e) {
            System.err.println("gpuflow run: " + e.getMessage());
            System.err.println(
                    "  the run had to stop; what was written before is safe. Free some space, then:"
                            + " gpuflow run --resume");
            return ExitCode.INTERNAL;
        }
    }

    private int run() throws Refused, IOException {
        Remembered remembered = Remembered.of(baseline, noBaseline, System.getenv());
        List<String> typed = new ArrayList<>(inputs);
        if (ncclTests != null) {
            typed.add("nccl_tests=" + ncclTests);
        }
        RunPlan plan = RunPlan.of(file, resume, typed, machine, site);
        if (plan == null) {
            return ExitCode.USAGE;
        }
        if (plan.earlier() != null && record != null) {
            throw new Refused(
                    ExitCode.USAGE,
                    "--record and --resume exclude each other: what is reused would be missing in"
                            + " the recording");
        }
        Secrets secrets = new Secrets(plan.secrets());
        try (Machine tools = Machine.open(plan.recording(), record, plan.secrets());
                RunFolders folders =
                        RunFolders.of(plan.folder(), folder, dryRun, plan.workflow(), secrets)) {
            RuleLoading rules = new RuleLoading(plan.workflow(), plan.site().policy());
            return new ShownRun(json, failOn)
                    .run(
                            events ->
                                    new RunSetup(
                                            plan.workflow(),
                                            plan.inputs(),
                                            tools.tools(),
                                            tools.recording(),
                                            name -> action(name, remembered, plan.site()),
                                            plan.site()::parser,
                                            rules,
                                            Version.text(),
                                            allowChange,
                                            dryRun,
                                            secrets,
                                            events,
                                            InstantSource.system()),
                            folders,
                            tools);
        } catch (BadRecording e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        }
    }

    /** The built-in step of a name, with what this machine and this site add to it. */
    private static Action action(String name, Remembered remembered, SiteInForce site) {
        return name.equals("diagnose")
                ? new Diagnose(site::signatures)
                : remembered.with(site.baselines()).action(name);
    }
}
