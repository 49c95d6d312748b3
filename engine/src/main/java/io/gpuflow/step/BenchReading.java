package io.gpuflow.step;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.parse.Parsers;
import io.gpuflow.parse.Report;
import io.gpuflow.tool.ToolResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes facts of what a benchmark printed, what NCCL logged beside it, and what the links allow.
 */
final class BenchReading {
    private final Action.Context context;
    private final KnownFacts known;
    private final String op;
    private final ToolResult result;
    private final String parser;
    private final String note;
    private final RankEvidence evidence;

    /**
     * @param parser kind of the parser that reads the output
     * @param note what the reason should add, or null
     */
    BenchReading(
            Action.Context context,
            KnownFacts known,
            String op,
            ToolResult result,
            String parser,
            String note) {
        this.context = context;
        this.known = known;
        this.op = op;
        this.result = result;
        this.parser = parser;
        this.note = note;
        this.evidence = new RankEvidence(context.folder());
    }

    /** The benchmark gave no result. */
    Action.Outcome broken(String why) {
        List<Observed> facts = new ArrayList<>();
        facts.addAll(CollectiveBench.unknown(State.BROKEN, why).facts());
        facts.add(failure());
        facts.addAll(NcclLogs.facts(evidence.ncclLogs()));
        facts.addAll(evidence.files(context.step(), result));
        return new Action.Outcome(State.BROKEN, noted(why), facts, Map.of());
    }

    private Observed failure() {
        String tool = Path.of(result.argv().get(0)).getFileName().toString();
        return FailedTool.of(context.step(), tool, result);
    }

    private String noted(String reason) {
        return note == null ? reason : reason + " (" + note + ")";
    }

    Action.Outcome outcome() {
        Report report = Parsers.named(parser).parse(result.stdout());
        List<Observed> facts = new ArrayList<>();
        Observed measured = null;
        for (Observed observed : report.facts(source())) {
            if (observed.fact() instanceof Bench) {
                measured = observed;
            } else if (!(observed.fact() instanceof Unknown)) {
                facts.add(observed);
            }
        }
        if (measured == null) {
            return broken(whyNothing(report));
        }
        List<Observed> log = NcclLogs.facts(evidence.ncclLogs());
        Bench bench = withTransport((Bench) measured.fact(), log);
        List<Fact> ceilings = ceilings(log, bench);
        facts.add(new Observed(bench, measured.source()));
        facts.addAll(log);
        ceilings.forEach(c -> facts.add(new Observed(c, Source.of("the probed links"))));
        facts.addAll(evidence.files(context.step(), result));
        if (!result.ok()) {
            facts.add(failure());
        }
        BenchVerdict verdict = BenchVerdict.of(bench, ceilings, result);
        return new Action.Outcome(
                verdict.state(), noted(verdict.reason()), facts, out(bench, ceilings));
    }

    private String source() {
        return result.stdoutFile() == null
                ? String.join(" ", result.argv())
                : result.stdoutFile().toString();
    }

    private String whyNothing(Report report) {
        boolean ended = result.outcome() == ToolResult.Outcome.EXITED;
        String how = ended ? "exit " + result.exit() : result.why();
        String said = report.error() != null ? report.error() : "it printed no result";
        String last = LastLine.of(result.stderr());
        return how + ": " + (last.isEmpty() ? said : said + "; " + last);
    }

    /** The benchmark's own log tells; where it wrote none, the smoke test's, of the same ranks. */
    private Bench withTransport(Bench b, List<Observed> log) {
        String transport = NcclLogs.slowest(log);
        if (transport == null) {
            boolean same = context.env().keySet().stream().noneMatch(n -> n.matches("[NR]CCL_.*"));
            String smoke = same ? NcclLogs.slowestOf(known) : null;
            transport = b.transport() != null ? b.transport() : smoke;
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

    private List<Fact> ceilings(List<Observed> log, Bench bench) {
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

    /**
     * @param ceilings the best path first; the last that has a reference is the one that was used
     */
    private static Map<String, Object> out(Bench bench, List<Fact> ceilings) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("tool", bench.tool());
        out.put("op", bench.op());
        out.put("ranks", bench.ranks());
        out.put("peak_busbw_gbps", bench.peakBusbwGbps());
        out.put("average_busbw_gbps", bench.averageBusbwGbps());
        out.put("large_busbw_gbps", bench.largeBusbwGbps());
        out.put("wrong", bench.wrong());
        out.put("transport", bench.transport());
        BusCeiling best = null;
        BusCeiling referred = null;
        for (Fact fact : ceilings) {
            if (fact instanceof BusCeiling ceiling) {
                best = best == null ? ceiling : best;
                referred = ceiling.reference() != null ? ceiling : referred;
            }
        }
        out.put("ceiling_gbps", best == null ? null : best.gbps());
        out.put("expected_gbps", best == null ? null : best.expectedGbps());
        out.put("reference_gbps", referred == null ? null : referred.referenceGbps());
        out.put("reference", referred == null ? null : referred.reference());
        return out;
    }
}
