package io.gpuflow.cli;

import io.gpuflow.baseline.Baseline;
import io.gpuflow.baseline.BaselineFile;
import io.gpuflow.baseline.BaselineFolder;
import io.gpuflow.baseline.Changes;
import io.gpuflow.baseline.Figures;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.report.BaselineText;
import io.gpuflow.report.BaselineValues;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Terminal;
import io.gpuflow.report.VerdictText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps the healthy figures of a machine and says what has changed since. */
@Command(
        name = "baseline",
        mixinStandardHelpOptions = true,
        description =
                "Keeps the healthy figures of a machine (bandwidths, links, clocks, versions) and says what has changed since. gpuflow run compares with them by itself.",
        footer = {
            "",
            "Exit code: 0 done, nothing is worse than its tolerance; 1 something is; 2 wrong usage or"
                    + " an invalid file; 3 there is no baseline, or nothing to compare.",
            "",
            "Baselines lie in $XDG_DATA_HOME/gpuflow/baselines (~/.local/share by default). They hold"
                    + " hashes of names and UUIDs, not the names."
        })
final class BaselineCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("gpuflow baseline: say what to do: save, show or compare");
        return ExitCode.USAGE;
    }

    /** Which machine is meant. */
    static final class Which {
        @Option(
                names = "--run",
                paramLabel = "RUN",
                arity = "0..1",
                fallbackValue = RunNames.LAST,
                description = "a stored run; the last one when no name follows")
        private String run;

        @Parameters(paramLabel = "RUN", arity = "0..1", description = "the same as --run RUN")
        private String given;

        @Option(
                names = "--machine",
                paramLabel = "DIR",
                description = "a recording: setup.yaml is run over it")
        private Path machine;

        private ComparedFacts facts(String otherwise)
                throws Refused, IOException, InterruptedException {
            String named = run != null ? run : given;
            return ComparedFacts.of(named == null && machine == null ? otherwise : named, machine);
        }
    }

    private interface Body {
        int run() throws Refused, IOException, InterruptedException;
    }

    @Command(
            name = "save",
            mixinStandardHelpOptions = true,
            description =
                    "Saves the figures of a healthy run as the baseline of its machine; of the last run by default. An earlier baseline of the machine is replaced.")
    int save(
            @Mixin Which which,
            @Option(names = "--to", paramLabel = "FILE", description = "write it there instead")
                    Path to,
            @Option(names = "--anyway", description = "save it although the run was not healthy")
                    boolean anyway)
            throws IOException, InterruptedException {
        return refusing(() -> saved(which.facts(RunNames.LAST), to, anyway));
    }

    private static int saved(ComparedFacts taken, Path to, boolean anyway)
            throws Refused, IOException {
        String ill = taken.illness();
        if (ill != null && !anyway) {
            throw new Refused(
                    ExitCode.FOUND,
                    "the run was not healthy, so it makes no baseline: "
                            + ill
                            + "; mend that and run again, or add --anyway");
        }
        List<Fact> facts = taken.facts().stream().map(Observed::fact).toList();
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Baseline baseline = Figures.of(facts, now, taken.from());
        if (baseline.gpus().isEmpty() && baseline.benches().isEmpty()) {
            throw new Refused(
                    ExitCode.UNTOLD, "no GPU is known there, so there is nothing to keep");
        }
        Path file = to != null ? to : BaselineFolder.usual(System.getenv()).place(facts);
        if (file == null) {
            throw new Refused(
                    ExitCode.UNTOLD, "nothing names this machine; say where with --to FILE");
        }
        try {
            BaselineFile.write(file, baseline);
        } catch (IOException e) {
            throw new Refused(ExitCode.USAGE, file + " can't be written; say where with --to FILE");
        }
        BaselineText.lines(baseline).forEach(System.out::println);
        if (baseline.benches().isEmpty()) {
            System.out.println("no bandwidth was measured in it: only the rest will be compared");
        }
        System.out.println("in " + file);
        return ExitCode.OK;
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description =
                    "Shows a baseline: the only one that was saved, that of a run's machine or recording, or that in a file. Several are listed.")
    int show(
            @Mixin Which which,
            @Option(names = "--from", paramLabel = "FILE", description = "show this one") Path from,
            @Option(names = "--json", description = "print it as JSON") boolean json)
            throws IOException, InterruptedException {
        return refusing(() -> shown(which, from, json));
    }

    private static int shown(Which which, Path from, boolean json)
            throws Refused, IOException, InterruptedException {
        BaselineFolder folder = BaselineFolder.usual(System.getenv());
        List<BaselineFile> files;
        if (from != null) {
            files = List.of(Remembered.read(from));
        } else if (which.run != null || which.machine != null) {
            BaselineFile file = folder.of(plain(which.facts(null).facts()));
            files = file == null ? List.of() : List.of(file);
        } else {
            files = folder.all();
        }
        folder.unread().forEach(u -> System.err.println("gpuflow baseline: " + u));
        if (files.isEmpty()) {
            throw new Refused(
                    ExitCode.UNTOLD,
                    "there is no baseline; gpuflow run workflows/setup.yaml, then gpuflow baseline"
                            + " save");
        }
        if (json) {
            JsonPrinter.print(
                    files.stream().map(f -> BaselineValues.of(f.file(), f.baseline())).toList(),
                    System.out);
        } else if (files.size() == 1) {
            BaselineText.lines(files.get(0).baseline()).forEach(System.out::println);
            System.out.println("in " + files.get(0).file());
        } else {
            for (BaselineFile f : files) {
                System.out.println(BaselineText.oneLine(f.baseline()) + "  " + f.file());
            }
            System.out.println(files.size() + " baselines; show --from FILE shows one");
        }
        return ExitCode.OK;
    }

    @Command(
            name = "compare",
            mixinStandardHelpOptions = true,
            description = {
                "Says what has changed since the baseline, and what of it the rules hold for too much.",
                "Asks the machine itself by default: its bandwidths are compared with --run, after a run. How much may change are settings of the rules: gpuflow rules list '*baseline*'"
            })
    int compare(
            @Mixin Which which,
            @Option(
                            names = "--from",
                            paramLabel = "FILE",
                            description = "compare with this baseline, not with the machine's own")
                    Path from,
            @Option(
                            names = "--fail-on",
                            paramLabel = "LEVEL",
                            description =
                                    "exit 1 for a finding of this level or worse: warn (default),"
                                            + " fail or info")
                    Verdict.Level failOn,
            @Option(names = "--json", description = "print one JSON document") boolean json)
            throws IOException, InterruptedException {
        Verdict.Level limit = failOn == null ? Verdict.Level.WARN : failOn;
        return refusing(() -> compared(which, from, limit, json));
    }

    private static int compared(Which which, Path from, Verdict.Level limit, boolean json)
            throws Refused, IOException, InterruptedException {
        BaselineFile named = from == null ? null : Remembered.read(from);
        ComparedFacts now = which.facts(null);
        BaselineFolder folder = BaselineFolder.usual(System.getenv());
        BaselineFile file = named != null ? named : folder.of(plain(now.facts()));
        if (file == null) {
            folder.unread().forEach(u -> System.err.println("gpuflow baseline: " + u));
            throw new Refused(
                    ExitCode.UNTOLD,
                    "there is no baseline of this machine; gpuflow run workflows/setup.yaml, then"
                            + " gpuflow baseline save; or name one with --from FILE");
        }
        List<Observed> both = now.with(file);
        Changes changes = Changes.of(plain(both));
        List<Verdict> verdicts = ComparedFacts.judged(both);
        if (json) {
            JsonPrinter.print(
                    BaselineValues.of(file.file(), file.baseline(), changes, verdicts), System.out);
        } else {
            Terminal terminal = Terminal.ofOutput(System.getenv());
            System.out.println("baseline " + file.baseline().saved() + " in " + file.file());
            BaselineText.lines(changes).forEach(System.out::println);
            if (!verdicts.isEmpty()) {
                System.out.println();
                new VerdictText(terminal.style(), terminal.width())
                        .lines(verdicts)
                        .forEach(System.out::println);
            }
        }
        if (verdicts.stream().anyMatch(v -> v.level().compareTo(limit) <= 0)) {
            return ExitCode.FOUND;
        }
        boolean nothing = changes.same() == 0 && changes.changed().isEmpty();
        return nothing ? ExitCode.UNTOLD : ExitCode.OK;
    }

    private static List<Fact> plain(List<Observed> facts) {
        return facts.stream().map(Observed::fact).toList();
    }

    private static int refusing(Body body) throws IOException, InterruptedException {
        try {
            return body.run();
        } catch (Refused e) {
            return e.told("baseline");
        }
    }
}
