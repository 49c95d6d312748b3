package io.gpuflow.step;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Torch;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.parse.SmokeOutput;
import io.gpuflow.parse.SmokeReport;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The DDP smoke test: one rank on each visible GPU, or two on the CPU. Passed when every rank ran
 * on its own device, summed right, trained to the same weights and was gone afterwards.
 */
public final class DdpSmoke implements Action {
    @Override
    public Outcome run(Context context) throws InterruptedException {
        KnownFacts known = KnownFacts.of(context.facts());
        Ranks ranks;
        RankLauncher.Launch launch;
        try {
            ranks = Ranks.of(known);
            String python = known.last(Torch.class).python();
            List<String> arguments = List.of("--backend", ranks.backend());
            launch = new RankLauncher(context, python).run(ranks, Scripts.SMOKE, arguments);
        } catch (Ranks.NotKnown e) {
            return unknown(State.BROKEN, e.getMessage());
        } catch (IOException e) {
            return unknown(State.BROKEN, "its scripts could not be written: " + e.getMessage());
        }
        ToolResult result = launch.result();
        return switch (result.outcome()) {
            case INTERRUPTED -> throw new InterruptedException();
            case NOT_RECORDED -> unknown(State.UNKNOWN, result.why());
            case MISSING, BROKEN -> broken(context, result);
            case EXITED, TIMED_OUT -> ran(context, ranks, launch);
        };
    }

    private static Outcome unknown(State state, String why) {
        List<Observed> facts = new ArrayList<>();
        for (Class<?> type : List.of(SmokeRun.class, SmokeRank.class)) {
            facts.add(new Observed(new Unknown(type.getSimpleName(), why), Source.of("ddp-smoke")));
        }
        return new Outcome(state, why, facts, Map.of());
    }

    private static Outcome broken(Context context, ToolResult result) {
        Outcome unknown = unknown(State.BROKEN, result.why());
        List<Observed> facts = new ArrayList<>(unknown.facts());
        facts.add(FailedTool.of(context.step(), "ddp-smoke", result));
        return new Outcome(unknown.state(), unknown.reason(), facts, Map.of());
    }

    private static Outcome ran(Context context, Ranks ranks, RankLauncher.Launch launch) {
        ToolResult result = launch.result();
        RankEvidence evidence = new RankEvidence(context.folder());
        SmokeReport report = new SmokeOutput().parse(result.stdout(), result.stderr());
        String source =
                result.stdoutFile() == null
                        ? String.join(" ", result.argv())
                        : result.stdoutFile().toString();
        boolean hung = result.outcome() == ToolResult.Outcome.TIMED_OUT;
        List<Observed> facts = new ArrayList<>();
        List<SmokeRank> all = new ArrayList<>();
        for (Observed observed : report.facts(source)) {
            if (observed.fact() instanceof SmokeRank rank) {
                boolean started = report.pids().containsKey(rank.rank());
                SmokeRank told = hung ? evidence.of(rank, started) : rank;
                all.add(told);
                facts.add(new Observed(told, observed.source()));
            }
        }
        for (int rank = all.size(); rank < ranks.count(); rank++) {
            SmokeRank missing =
                    new SmokeRank(
                            rank, null, null, null, "none", null, null, null, null, null, null,
                            null);
            all.add(missing);
            facts.add(new Observed(missing, Source.of(source)));
        }
        SmokeVerdict verdict = SmokeVerdict.of(ranks, launch, report, all);
        facts.add(new Observed(verdict.run(), Source.of(source)));
        facts.addAll(NcclLogs.facts(evidence.ncclLogs()));
        if (verdict.state() != State.PASSED) {
            facts.add(FailedTool.of(context.step(), "ddp-smoke", result));
        }
        facts.addAll(evidence.files(context.step(), result));
        return new Outcome(verdict.state(), verdict.reason(), facts, out(verdict.run(), facts));
    }

    private static Map<String, Object> out(SmokeRun run, List<Observed> facts) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("backend", run.backend());
        out.put("world_size", run.worldSize());
        out.put("visible_gpus", run.visibleGpus());
        out.put("finished", run.finished());
        out.put("hung", run.hung());
        out.put("stage", run.stage());
        out.put("seconds", run.seconds());
        out.put("launcher", run.launcher());
        out.put("transport", NcclLogs.slowest(facts));
        return out;
    }
}
