package io.gpuflow.cli;

import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Inputs;
import io.gpuflow.flow.Journal;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunSetup;
import io.gpuflow.flow.Runner;
import io.gpuflow.flow.SecretValues;
import io.gpuflow.flow.Secrets;
import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.parse.Parsers;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.report.Recap;
import io.gpuflow.report.RunDisplay;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.RunValues;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.Policy;
import io.gpuflow.tool.BadRecording;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
            e.problems().forEach(p -> System.err.println("gpuflow run: " + p));
            return e.exit();
        } catch (Journal.Lost e) {
            System.err.println("gpuflow run: " + e.getMessage());
            System.err.println(
                    "  the run had to stop; what was written before is safe. Free some space, then:"
                            + " gpuflow run --resume");
            return ExitCode.INTERNAL;
        }
    }

    private int run() throws Refused, IOException {
        takeWorkflowForRun();
        Remembered remembered = Remembered.of(baseline, noBaseline, System.getenv());
        Resumed earlier = resume == null ? null : Resumed.find(resume);
        if (file == null && earlier == null) {
            throw new Refused(ExitCode.USAGE, "name a workflow, for instance workflows/setup.yaml");
        }
        Path named = file != null ? file : earlier.workflow();
        Problems problems = new Problems();
        Workflow read =
                new WorkflowReader(Catalogs.shipped()).read(WorkflowFile.find(named), problems);
        if (read == null) {
            ProblemPrinter.print(problems, System.err);
            return ExitCode.USAGE;
        }
        Workflow workflow = read.named(named.toString());
        Map<String, String> texts =
                earlier == null ? new LinkedHashMap<>() : earlier.inputs(workflow);
        texts.putAll(given());
        if (ncclTests != null) {
            texts.put("nccl_tests", ncclTests);
        }
        Inputs.Given given = Inputs.of(workflow, texts);
        if (!given.problems().isEmpty()) {
            throw new Refused(ExitCode.USAGE, given.problems());
        }
        List<String> secrets = SecretValues.of(workflow, given.values(), System.getenv());
        if (earlier != null && record != null) {
            throw new Refused(
                    ExitCode.USAGE,
                    "--record and --resume exclude each other: what is reused would be missing in"
                            + " the recording");
        }
        Path recording = earlier == null ? machine : earlier.recording(machine);
        Supplier<Policy> policy = site.policy(recording == null ? List.of() : List.of(recording));
        if (policy == null) {
            return ExitCode.USAGE;
        }
        Secrets shown = new Secrets(secrets);
        Path before = earlier == null ? null : earlier.folder();
        try (Machine tools = Machine.open(recording, record, secrets);
                RunFolders held = RunFolders.of(before, folder, dryRun, workflow, shown)) {
            return run(workflow, given.values(), shown, tools, held, remembered, policy);
        } catch (BadRecording e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        }
    }

    /** The inputs, split here: picocli would take the quotes in a value for its own. */
    private Map<String, String> given() throws Refused {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String input : inputs) {
            int equals = input.indexOf('=');
            if (equals < 1) {
                throw new Refused(ExitCode.USAGE, "-i takes NAME=VALUE; one has no name or no =");
            }
            texts.put(input.substring(0, equals), input.substring(equals + 1));
        }
        return texts;
    }

    /** In {@code run --resume setup.yaml} the file is the workflow, not the name of a run. */
    private void takeWorkflowForRun() {
        String name = resume == null ? "" : resume.toLowerCase(Locale.ROOT);
        if (file == null && (name.endsWith(".yaml") || name.endsWith(".yml"))) {
            file = Path.of(resume);
            resume = RunNames.LAST;
        }
    }

    private int run(
            Workflow workflow,
            Map<String, Object> values,
            Secrets secrets,
            Machine tools,
            RunFolders folders,
            Remembered remembered,
            Supplier<Policy> policy)
            throws IOException {
        PrintStream out = json ? System.err : System.out;
        Terminal terminal = json ? Terminal.NONE : Terminal.ofOutput(System.getenv());
        RuleLoading rules = new RuleLoading(workflow, policy);
        if (tools.recording() != null) {
            out.println("replay of " + tools.tools().name() + ": nothing is run");
        }
        RunDisplay display = Displays.of(terminal, out);
        RunSetup setup =
                new RunSetup(
                        workflow,
                        values,
                        tools.tools(),
                        tools.recording(),
                        remembered::action,
                        Parsers::named,
                        rules,
                        Version.text(),
                        allowChange,
                        dryRun,
                        secrets,
                        new DisplayEvents(display),
                        InstantSource.system());
        try (Runner runner = Runner.open(setup, folders.folder())) {
            Interruption interruption = new Interruption(runner);
            try {
                Ledger ledger;
                try (display) {
                    ledger = runner.run();
                }
                int exit = RunExit.of(ledger, runner.interrupted(), failOn);
                runner.ended(runner.interrupted() ? null : exit);
                RunReport report = RunReports.of(ledger, folders.shown(), exit);
                print(report, terminal);
                if (tools.note() != null) {
                    System.err.println("gpuflow run: " + tools.note());
                }
                return exit;
            } finally {
                interruption.over();
            }
        }
    }

    private void print(RunReport report, Terminal terminal) throws IOException {
        if (json) {
            JsonPrinter.print(RunValues.of(report), System.out);
        } else {
            Recap.lines(report, terminal).forEach(System.out::println);
            System.out.flush();
        }
    }
}
