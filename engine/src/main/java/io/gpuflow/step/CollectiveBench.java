package io.gpuflow.step;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.facts.Torch;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures a collective on all visible GPUs: by nccl-tests or rccl-tests where they are, else by
 * our own benchmark over torch with the same formulas; and says what the links allow.
 */
public final class CollectiveBench implements Action {
    private static final String FROM = "8";
    private static final String TO = "2G";

    /** A benchmark on the CPU measures nothing of use; this much shows that it works. */
    private static final long LARGEST_ON_CPU = 1 << 20;

    /** Our own benchmark leaves out sizes that would begin after this share of the limit. */
    private static final double SHARE_FOR_SIZES = 0.6;

    /** What was run, and by which tool's parser it is read. */
    private record Ran(ToolResult result, String parser, String note) {}

    @Override
    public Outcome run(Context context) throws InterruptedException {
        KnownFacts known = KnownFacts.of(context.facts());
        String op = text(context, "op", "all_reduce");
        if (!BusFactor.OPS.contains(op)) {
            String all = String.join(", ", BusFactor.OPS);
            return unknown(State.BROKEN, "no collective named " + op + "; there are " + all);
        }
        MessageSizes sizes;
        try {
            sizes = MessageSizes.of(text(context, "from", FROM), text(context, "to", TO), known);
        } catch (MessageSizes.NotASize e) {
            return unknown(State.BROKEN, e.getMessage());
        }
        Integer gpus = gpus(known);
        if (gpus != null && gpus == 1) {
            return unknown(State.UNKNOWN, "a collective needs two GPUs; a job here sees one");
        }
        Ran ran;
        try {
            ran = measure(context, known, op, sizes, gpus == null ? 0 : gpus);
        } catch (Ranks.NotKnown e) {
            return unknown(State.BROKEN, e.getMessage());
        } catch (IOException e) {
            return unknown(State.BROKEN, "its scripts could not be written: " + e.getMessage());
        }
        return switch (ran.result().outcome()) {
            case INTERRUPTED -> throw new InterruptedException();
            case NOT_RECORDED -> unknown(State.UNKNOWN, ran.result().why());
            case MISSING, BROKEN -> broken(context, ran, null);
            case EXITED, TIMED_OUT -> read(context, known, op, ran);
        };
    }

    private static String text(Context context, String name, String otherwise) {
        Object value = context.with().get(name);
        return value == null || value.toString().isBlank() ? otherwise : value.toString().strip();
    }

    /** GPUs that a job sees: PyTorch knows best; without one, what was probed. */
    private static Integer gpus(KnownFacts known) {
        Torch torch = known.last(Torch.class);
        if (torch != null && torch.deviceCount() != null) {
            return torch.deviceCount();
        }
        List<Integer> visible = VisibleGpus.of(known);
        return visible == null ? null : visible.size();
    }

    private static Ran measure(
            Context context, KnownFacts known, String op, MessageSizes sizes, int gpus)
            throws Ranks.NotKnown, IOException, InterruptedException {
        long deadline = System.nanoTime() + context.limit().toNanos();
        String note = null;
        if (gpus >= 2) {
            NcclTests tests = new NcclTests(context, known, op);
            String checkout = text(context, "checkout", "");
            NcclTests.Found found = tests.onPath();
            if (!checkout.isEmpty()) {
                Path folder = Path.of(checkout).toAbsolutePath().normalize();
                found = tests.inCheckout(folder, context.limit().dividedBy(2));
                note = found.why();
                found = found.program() == null ? tests.onPath() : found;
            }
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            ToolResult result = tests.run(found, gpus, sizes, left);
            if (result.outcome() != ToolResult.Outcome.MISSING) {
                return new Ran(result, "nccl-tests", note);
            }
            note = note != null ? note : "no " + op + "_perf on PATH";
        }
        return new Ran(torch(context, known, op, sizes), "torch-bench", note);
    }

    private static ToolResult torch(
            Context context, KnownFacts known, String op, MessageSizes sizes)
            throws Ranks.NotKnown, IOException {
        Ranks ranks = Ranks.of(known);
        long to = ranks.onGpus() ? sizes.to() : Math.min(sizes.to(), LARGEST_ON_CPU);
        long seconds = Math.max(1, (long) (context.limit().toSeconds() * SHARE_FOR_SIZES));
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--backend", ranks.backend(), "--op", op));
        arguments.addAll(List.of("--min", Long.toString(sizes.from())));
        arguments.addAll(List.of("--max", Long.toString(to)));
        arguments.addAll(List.of("--seconds", Long.toString(seconds)));
        String python = known.last(Torch.class).python();
        return new RankLauncher(context, python).run(ranks, Scripts.BENCH, arguments).result();
    }

    private static Outcome unknown(State state, String why) {
        Observed unknown = new Observed(new Unknown("Bench", why), Source.of("nccl-tests"));
        return new Outcome(state, why, List.of(unknown), Map.of());
    }

    private static Outcome broken(Context context, Ran ran, String error) {
        ToolResult result = ran.result();
        String why = error != null ? error : result.why();
        String kind =
                switch (result.outcome()) {
                    case MISSING -> "missing";
                    case TIMED_OUT -> "timeout";
                    case EXITED ->
                            result.exit() == 0
                                    ? "unreadable"
                                    : result.exit() > 128 ? "signal" : "exit";
                    default -> "unreadable";
                };
        List<Observed> facts = new ArrayList<>(unknown(State.BROKEN, why).facts());
        facts.add(failure(context, result, kind));
        facts.addAll(new RankEvidence(context.folder()).files(context.step(), result));
        facts.addAll(NcclLogs.facts(new RankEvidence(context.folder()).ncclLogs()));
        return new Outcome(State.BROKEN, note(why, ran), facts, Map.of());
    }

    private static Observed failure(Context context, ToolResult result, String kind) {
        Integer exit = result.outcome() == ToolResult.Outcome.EXITED ? result.exit() : null;
        String last = LastLine.of(result.stderr().isBlank() ? result.stdout() : result.stderr());
        String command = String.join(" ", result.argv());
        String tool = Path.of(result.argv().get(0)).getFileName().toString();
        return new Observed(
                new ToolFailure(context.step(), tool, kind, exit, last), Source.of(command));
    }

    private static String note(String reason, Ran ran) {
        return ran.note() == null ? reason : reason + " (" + ran.note() + ")";
    }

    private static Outcome read(Context context, KnownFacts known, String op, Ran ran) {
        ToolResult result = ran.result();
        String source =
                result.stdoutFile() == null
                        ? String.join(" ", result.argv())
                        : result.stdoutFile().toString();
        Parser<?> parser = Parsers.named(ran.parser());
        var report = parser.parse(result.stdout());
        RankEvidence evidence = new RankEvidence(context.folder());
        List<Observed> log = NcclLogs.facts(evidence.ncclLogs());
        List<Observed> facts = new ArrayList<>();
        Bench bench = null;
        Source benchSource = null;
        for (Observed observed : report.facts(source)) {
            if (observed.fact() instanceof Bench told) {
                bench = told;
                benchSource = observed.source();
            } else if (!(observed.fact() instanceof Unknown)) {
                facts.add(observed);
            }
        }
        if (bench == null) {
            String last = LastLine.of(result.stderr());
            String said = report.error() != null ? report.error() : "it printed no result";
            boolean ended = result.outcome() == ToolResult.Outcome.EXITED;
            String how = ended ? "exit " + result.exit() : result.why();
            return broken(context, ran, how + ": " + (last.isEmpty() ? said : said + "; " + last));
        }
        bench = withTransport(bench, op, log, known);
        facts.add(new Observed(bench, benchSource));
        facts.addAll(log);
        List<Fact> ceilings = ceilings(known, log, bench);
        ceilings.forEach(c -> facts.add(new Observed(c, Source.of("the probed links"))));
        facts.addAll(evidence.files(context.step(), result));
        if (!result.ok()) {
            String kind = result.outcome() == ToolResult.Outcome.TIMED_OUT ? "timeout" : "exit";
            facts.add(failure(context, result, kind));
        }
        BenchVerdict verdict = BenchVerdict.of(bench, ceilings, result);
        return new Outcome(verdict.state(), note(verdict.reason(), ran), facts, out(bench));
    }

    /** The benchmark's own log tells; where it wrote none, the smoke test's, of the same ranks. */
    private static Bench withTransport(Bench b, String op, List<Observed> log, KnownFacts known) {
        String transport = NcclLogs.slowest(log);
        if (transport == null) {
            transport = b.transport() != null ? b.transport() : NcclLogs.slowestOf(known);
        }
        return new Bench(
                b.tool(),
                op,
                b.ranks(),
                b.peakBusbwGbps(),
                b.averageBusbwGbps(),
                b.largeBusbwGbps(),
                b.largeBytes(),
                b.wrong(),
                transport,
                b.completed());
    }

    private static List<Fact> ceilings(KnownFacts known, List<Observed> log, Bench bench) {
        List<Integer> gpus = VisibleGpus.of(known);
        if (gpus == null || gpus.size() < 2 || gpus.size() != bench.ranks()) {
            String why =
                    gpus == null
                            ? "which GPUs the ranks used is not known"
                            : bench.ranks()
                                    + " ranks did not run on the "
                                    + gpus.size()
                                    + " visible GPUs";
            return List.of(new Unknown("BusCeiling", why));
        }
        List<Fact> all = new ArrayList<>(known.all(Fact.class));
        log.forEach(observed -> all.add(observed.fact()));
        return Ceilings.of(
                KnownFacts.ofFacts(all), bench.op(), gpus, bench.transport(), bench.largeBytes());
    }

    private static Map<String, Object> out(Bench bench) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("tool", bench.tool());
        out.put("op", bench.op());
        out.put("ranks", bench.ranks());
        out.put("peak_busbw_gbps", bench.peakBusbwGbps());
        out.put("average_busbw_gbps", bench.averageBusbwGbps());
        out.put("large_busbw_gbps", bench.largeBusbwGbps());
        out.put("wrong", bench.wrong());
        out.put("transport", bench.transport());
        return out;
    }
}
