package io.gpuflow.cli;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.Candidates;
import io.gpuflow.advise.MemoryModel;
import io.gpuflow.advise.RankOrder;
import io.gpuflow.advise.Reasons;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.StepModel;
import io.gpuflow.advise.StepTime;
import io.gpuflow.advise.TimeReasons;
import io.gpuflow.advise.TrainingMachine;
import io.gpuflow.advise.emit.EmittedFiles;
import io.gpuflow.advise.emit.Job;
import io.gpuflow.advise.memory.SimulatedMemory;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Torch;
import io.gpuflow.report.AdviceText;
import io.gpuflow.report.AdviceValues;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.BadRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Says which ways of training a model fit these GPUs, and why. */
final class AdviseCommand implements Callable<Integer>, DescribedInCode {
    private final AdviseOptions options = new AdviseOptions();
    private final MemoryModel memory = new SimulatedMemory();
    private final MeasuredSteps measured = MeasuredSteps.usual(System.getenv());

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                DescribedInCode.of(
                        this,
                        "advise",
                        "Says which ways of training a model fit these GPUs, and why. The model is"
                                + " a config.json of transformers, sizes in YAML, or a number of"
                                + " parameters. What is not given comes from this machine, or is"
                                + " searched.",
                        "Exit code: 0 something fits; 1 nothing does; 2 wrong usage or no valid"
                                + " model; 3 the GPUs or their memory are not known.");
        options.all().forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Request request;
        try {
            request = options.request();
        } catch (Refused e) {
            return e.told("advise");
        }
        Supplier<Policy> policy = options.site().policy(List.of());
        if (policy == null) {
            return ExitCode.USAGE;
        }
        List<Candidate> candidates = new Candidates(request, memory).all();
        if (candidates.isEmpty()) {
            System.err.println(
                    "gpuflow advise: no micro-batch divides --global-batch "
                            + request.globalBatch()
                            + " evenly over "
                            + request.gpus()
                            + " GPUs; choose a multiple");
            return ExitCode.USAGE;
        }
        TrainingMachine machine = options.machine(request);
        List<Candidate> ranked = ranked(request, machine, candidates, policy);
        if (options.measure()) {
            measure(request, machine, ranked);
            ranked = ranked(request, machine, candidates, policy);
        }
        if (options.explain()) {
            ranked.set(0, explained(request, ranked.get(0)));
        }
        Candidate best = ranked.get(0);
        boolean usable = !best.forbidden() && !Boolean.FALSE.equals(best.fits());
        if (usable) {
            best = best.with(files(request, machine, best));
            ranked.set(0, best);
        }
        if (options.out() != null && !written(best, usable)) {
            return ExitCode.USAGE;
        }
        print(request, ranked);
        if (!usable) {
            return ExitCode.FOUND;
        }
        return best.fits() == null ? ExitCode.UNTOLD : ExitCode.OK;
    }

    private List<Candidate> ranked(
            Request request,
            TrainingMachine machine,
            List<Candidate> candidates,
            Supplier<Policy> policy) {
        Reasons reasons = new Reasons(request, memory);
        List<Candidate> timed = new ArrayList<>();
        for (Candidate c : candidates) {
            Candidate with = timed(request, machine, c);
            MeasuredSteps.Step step = measured.nearest(request, machine, c);
            List<String> because = new ArrayList<>(reasons.of(c));
            Double factor = step != null ? (Double) step.factor() : measured.common(machine, c);
            if (factor != null && with.time().seconds() != null) {
                String words = step != null ? correction(step) : correction(factor);
                with = with.timed(with.time().corrected(factor, words), with.placement());
                because.add("time " + words);
            }
            because.addAll(TimeReasons.of(with, machine));
            timed.add(with.judged(because, false));
        }
        PlanJudge judge = new PlanJudge(request, machine, reasons, ShippedRules.soon(policy));
        return new ArrayList<>(judge.judged(timed, options.facts()));
    }

    private static Candidate timed(Request request, TrainingMachine machine, Candidate c) {
        StepTime time = StepModel.of(request.model(), c.workload(), c.layout(), machine);
        return c.timed(time, RankOrder.of(machine, c.layout()).placement());
    }

    private static String correction(double factor) {
        return String.format(
                Locale.ROOT,
                "corrected by a factor of %.2f, the mean of what other plans took here: this one was not measured",
                factor);
    }

    private static String correction(MeasuredSteps.Step s) {
        return String.format(
                Locale.ROOT,
                "corrected by a factor of %.2f: a measured step of %s, %.2f billion parameters, took %.4f s where %.4f s were predicted",
                s.factor(),
                s.strategy(),
                s.parameters() / 1e9,
                s.measured(),
                s.predicted());
    }

    /** Runs real steps of the best two that have a script, and keeps what they took. */
    private void measure(Request request, TrainingMachine machine, List<Candidate> ranked)
            throws InterruptedException {
        int tried = 0;
        for (Candidate c : ranked) {
            List<EmittedFile> files = files(request, machine, c);
            boolean usable = !c.forbidden() && !Boolean.FALSE.equals(c.fits());
            if (tried == 2 || !usable || StepMeasurement.script(c, files) == null) {
                continue;
            }
            tried++;
            String told = measured(request, machine, c, files);
            System.err.println("gpuflow advise: " + c.layout().strategy() + ": " + told);
        }
        if (tried == 0) {
            System.err.println("gpuflow advise: nothing to measure: no candidate has a script");
        }
    }

    private String measured(
            Request request, TrainingMachine machine, Candidate c, List<EmittedFile> files)
            throws InterruptedException {
        String python =
                options.facts().stream()
                        .map(Observed::fact)
                        .filter(Torch.class::isInstance)
                        .map(f -> ((Torch) f).python())
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse("python3");
        Candidate raw = timed(request, machine, c);
        if (raw.stepSeconds() == null || machine.gpu() == null) {
            return "not measured: nothing was predicted that could be corrected";
        }
        try (Machine opened = Machine.open(options.recording(), null, List.of())) {
            Path folder = measured.file().resolveSibling("measured").resolve(c.layout().strategy());
            StepMeasurement.Result result =
                    new StepMeasurement(opened.tools(), python).run(c, files, folder);
            if (result.seconds() == null) {
                return "not measured: " + result.why();
            }
            MeasuredSteps.Step step =
                    MeasuredSteps.step(request, machine, raw, result.seconds(), result.gib());
            measured.add(step);
            return String.format(
                    Locale.ROOT,
                    "a step took %.4f s, %.4f s were predicted (%+.0f %%)%s; kept in %s",
                    step.measured(),
                    step.predicted(),
                    100 * (step.predicted() / step.measured() - 1),
                    step.measuredGib() == null
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "; %.2f GiB allocated, %.2f predicted",
                                    step.measuredGib(),
                                    step.predictedGib()),
                    measured.file());
        } catch (BadRecording | Refused | IOException e) {
            return "not measured: " + e.getMessage();
        }
    }

    private List<EmittedFile> files(Request request, TrainingMachine machine, Candidate best) {
        return EmittedFiles.of(
                new Job(
                        request.model(),
                        best.workload(),
                        best.layout(),
                        best.placement(),
                        options.config(),
                        machine.gpuBytes() == null ? request.gpuMemory() : machine.gpuBytes()));
    }

    /** False, with a message, when the files can't be written. */
    private boolean written(Candidate best, boolean usable) {
        if (!usable) {
            System.err.println("gpuflow advise: nothing is written: no candidate may be used");
            return true;
        }
        try {
            OutFolder.write(options.out(), best.files());
            return true;
        } catch (IOException e) {
            System.err.println("gpuflow advise: --out: " + e.getMessage());
            return false;
        }
    }

    private Candidate explained(Request request, Candidate c) {
        return c.with(memory.explain(request.model(), c.workload(), c.layout()));
    }

    private void print(Request request, List<Candidate> ranked) throws IOException {
        if (options.json()) {
            JsonPrinter.print(AdviceValues.of(request, ranked, options.assumed()), System.out);
        } else {
            Terminal terminal = Terminal.ofOutput(System.getenv());
            System.out.print(AdviceText.of(request, ranked, options.assumed(), terminal));
        }
    }
}
