package io.gpuflow.step;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Torch;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

    /**
     * What was run.
     *
     * @param parser reads its output
     * @param note why it was not another tool, or null
     */
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
            case MISSING, BROKEN -> reading(context, known, op, ran).broken(ran.result().why());
            case EXITED, TIMED_OUT -> reading(context, known, op, ran).outcome();
        };
    }

    private static BenchReading reading(Context context, KnownFacts known, String op, Ran ran) {
        return new BenchReading(context, known, op, ran.result(), ran.parser(), ran.note());
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

    static Outcome unknown(State state, String why) {
        Observed unknown = new Observed(new Unknown("Bench", why), Source.of("nccl-tests"));
        return new Outcome(state, why, List.of(unknown), Map.of());
    }
}
