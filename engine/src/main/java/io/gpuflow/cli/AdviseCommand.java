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
import io.gpuflow.report.AdviceText;
import io.gpuflow.report.AdviceValues;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Terminal;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Says which ways of training a model fit these GPUs, and why. */
final class AdviseCommand implements Callable<Integer>, DescribedInCode {
    private final AdviseOptions options = new AdviseOptions();
    private final MemoryModel memory = new SimulatedMemory();

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
            e.problems().forEach(p -> System.err.println("gpuflow advise: " + p));
            return e.exit();
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
            StepTime time = StepModel.of(request.model(), c.workload(), c.layout(), machine);
            Candidate with = c.timed(time, RankOrder.of(machine, c.layout()).placement());
            List<String> because = new ArrayList<>(reasons.of(c));
            because.addAll(TimeReasons.of(with, machine));
            timed.add(with.judged(because, false));
        }
        PlanJudge judge = new PlanJudge(request, machine, reasons, ShippedRules.soon(policy));
        return new ArrayList<>(judge.judged(timed, options.facts()));
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
