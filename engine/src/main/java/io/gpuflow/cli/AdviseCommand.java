package io.gpuflow.cli;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Candidates;
import io.gpuflow.advise.MemoryModel;
import io.gpuflow.advise.Ranking;
import io.gpuflow.advise.Reasons;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.memory.SimulatedMemory;
import io.gpuflow.report.AdviceText;
import io.gpuflow.report.AdviceValues;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** Says which ways of training a model fit these GPUs, and why. */
final class AdviseCommand implements Callable<Integer>, DescribedInCode {
    private final AdviseOptions options = new AdviseOptions();
    private final MemoryModel memory = new SimulatedMemory();
    private final Ranking ranking = Ranking.SIMPLEST_FIRST;

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
        List<Candidate> candidates = new ArrayList<>();
        Reasons reasons = new Reasons(request, memory);
        for (Candidate c : new Candidates(request, memory).all()) {
            candidates.add(c.with(null, null, reasons.of(c), List.of()));
        }
        if (candidates.isEmpty()) {
            System.err.println(
                    "gpuflow advise: no micro-batch divides --global-batch "
                            + request.globalBatch()
                            + " evenly over "
                            + request.gpus()
                            + " GPUs; choose a multiple");
            return ExitCode.USAGE;
        }
        List<Candidate> ranked = new ArrayList<>(ranking.ranked(request, candidates));
        if (options.explain()) {
            ranked.set(0, explained(request, ranked.get(0)));
        }
        print(request, ranked);
        Boolean fits = ranked.get(0).fits();
        if (fits == null) {
            return ExitCode.UNTOLD;
        }
        return fits ? ExitCode.OK : ExitCode.FOUND;
    }

    private Candidate explained(Request request, Candidate c) {
        return new Candidate(
                c.layout(),
                c.workload(),
                c.fits(),
                memory.explain(request.model(), c.workload(), c.layout()),
                c.stepSeconds(),
                c.commSeconds(),
                c.because(),
                c.files());
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
