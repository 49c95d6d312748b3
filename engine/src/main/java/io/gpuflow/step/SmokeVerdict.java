package io.gpuflow.step;

import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.SmokeRun;
import io.gpuflow.flow.State;
import io.gpuflow.parse.SmokeOutput;
import io.gpuflow.parse.SmokeReport;
import io.gpuflow.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Whether the smoke test passed, and why in one line. */
record SmokeVerdict(State state, String reason, SmokeRun run) {
    private static final int SIGABRT = 6;
    private static final int SIGTERM = 15;

    static SmokeVerdict of(
            Ranks ranks, RankLauncher.Launch launch, SmokeReport report, List<SmokeRank> all) {
        ToolResult result = launch.result();
        boolean hung = result.outcome() == ToolResult.Outcome.TIMED_OUT;
        Integer exit = hung ? null : result.exit();
        boolean everyRank = report.worldSize() == ranks.count() && report.finished();
        boolean finished = everyRank && exit != null && exit == 0;
        String stage = report.worldSize() < ranks.count() ? "none" : report.stage();
        int left = left(result);
        SmokeRun run =
                new SmokeRun(
                        ranks.backend(),
                        ranks.count(),
                        ranks.gpus(),
                        finished,
                        hung,
                        stage,
                        exit,
                        result.seconds(),
                        left,
                        launch.launcher(),
                        launch.fault());
        String wrong = wrong(run, report, all, result);
        if (wrong == null) {
            return new SmokeVerdict(State.PASSED, passed(ranks, run, all), run);
        }
        // That nothing came up at all says something about the Python, not about collectives.
        boolean nothing = all.stream().noneMatch(r -> reached(r, "start"));
        return new SmokeVerdict(nothing ? State.BROKEN : State.FAILED, wrong, run);
    }

    /** Workers that had to be ended after the launcher was gone, or that nothing could end. */
    private static int left(ToolResult result) {
        long stuck =
                result.notes().stream()
                        .filter(n -> n.startsWith("even a kill did not end"))
                        .count();
        return result.strays().size() + (int) stuck;
    }

    private static String wrong(
            SmokeRun run, SmokeReport report, List<SmokeRank> all, ToolResult result) {
        if (run.hung()) {
            return hung(run, all, result);
        }
        String gone = gone(all);
        if (gone != null) {
            return gone;
        }
        SmokeRank first = firstError(report, all);
        if (first != null) {
            return "rank " + first.rank() + ": " + first.error();
        }
        if (all.stream().anyMatch(r -> Boolean.FALSE.equals(r.sumRight()))) {
            return "the sum came out wrong on "
                    + ranks(all, r -> Boolean.FALSE.equals(r.sumRight()));
        }
        if (run.launcherExit() != 0) {
            String last = LastLine.of(result.stderr());
            return "the launcher exited "
                    + run.launcherExit()
                    + (last.isEmpty() ? "" : ": " + last);
        }
        if (!run.finished()) {
            return "the launcher exited 0, but "
                    + ranks(all, r -> !reached(r, "done"))
                    + " did not finish (reached: "
                    + run.stage()
                    + ")";
        }
        return switch (run.leftProcesses()) {
            case 0 -> null;
            case 1 -> "a process was left running and had to be ended";
            default -> run.leftProcesses() + " processes were left running and had to be ended";
        };
    }

    /** The error that was printed first; what others report later may only follow from it. */
    private static SmokeRank firstError(SmokeReport report, List<SmokeRank> all) {
        SmokeRank first = null;
        int line = Integer.MAX_VALUE;
        for (SmokeRank rank : all) {
            int at = report.lineOf(rank.rank());
            if (rank.error() != null && at < line) {
                first = rank;
                line = at;
            }
        }
        return first;
    }

    /**
     * Ranks that went without a word before they were done: by a signal, or by exiting. What the
     * others then report only follows from it. Left out are SIGTERM, which launchers send to the
     * others, and SIGABRT, which follows a message.
     */
    private static String gone(List<SmokeRank> all) {
        List<String> gone = new ArrayList<>();
        for (SmokeRank r : all) {
            boolean silent = r.error() == null && r.exit() != null && !reached(r, "done");
            if (silent && r.exit() != -SIGTERM && r.exit() != -SIGABRT) {
                String how =
                        r.exit() < 0 ? "was ended by signal " + -r.exit() : "exited " + r.exit();
                gone.add(
                        "rank "
                                + r.rank()
                                + " "
                                + how
                                + " before it was done (reached: "
                                + r.stage()
                                + ")");
            }
        }
        return gone.isEmpty() ? null : String.join(", ", gone);
    }

    private static String hung(SmokeRun run, List<SmokeRank> all, ToolResult result) {
        int most = all.stream().mapToInt(r -> at(r.stage())).max().orElse(0);
        int least = all.stream().mapToInt(r -> at(r.stage())).min().orElse(0);
        StringBuilder text = new StringBuilder();
        text.append("hung: after ").append(Math.round(result.seconds())).append(" s ");
        if (most == 0) {
            return text.append("no rank has started").toString();
        }
        if (most == least) {
            text.append("all ranks are past ").append(SmokeOutput.STAGES.get(least));
        } else {
            text.append(ranks(all, r -> at(r.stage()) == least));
            text.append(" is past ").append(SmokeOutput.STAGES.get(least)).append(", others past ");
            text.append(SmokeOutput.STAGES.get(most));
        }
        if (most < SmokeOutput.STAGES.size() - 1) {
            text.append(", none reached ").append(SmokeOutput.STAGES.get(most + 1));
        }
        for (SmokeRank r : all) {
            String state = state(r.processState());
            if (state != null || r.where() != null && r.exit() == null) {
                text.append("; rank ").append(r.rank()).append(state == null ? "" : " " + state);
                text.append(r.where() == null ? "" : " at " + r.where());
            }
        }
        return text.toString();
    }

    private static String state(String letter) {
        if (letter == null) {
            return null;
        }
        return switch (letter) {
            case "T", "t" -> "is stopped (state T)";
            case "D" -> "is stuck in the kernel (state D)";
            case "Z", "X", "gone" -> "has ended";
            default -> null;
        };
    }

    private static String passed(Ranks ranks, SmokeRun run, List<SmokeRank> all) {
        int n = ranks.count();
        String where =
                ranks.onGpus()
                        ? n
                                + (n == 1 ? " rank" : " ranks")
                                + " on "
                                + n
                                + (n == 1 ? " GPU" : " GPUs")
                        : n + " ranks on the CPU over gloo (" + ranks.why() + ")";
        boolean told = all.stream().allMatch(r -> Boolean.TRUE.equals(r.sumRight()));
        String sum = told ? "sum of ranks " + n * (n - 1) / 2 + " right" : "sums not told";
        String seconds = String.format(Locale.ROOT, "%.1f s", run.seconds());
        return where
                + ": "
                + sum
                + ", trained together, "
                + seconds
                + (ranks.onGpus() ? "" : "; says nothing about GPUs")
                + (run.launcherFault() == null
                        ? ""
                        : "; started without torchrun: " + run.launcherFault());
    }

    private static boolean reached(SmokeRank rank, String stage) {
        return at(rank.stage()) >= at(stage);
    }

    private static int at(String stage) {
        return SmokeOutput.STAGES.indexOf(stage);
    }

    private static String ranks(
            List<SmokeRank> all, java.util.function.Predicate<SmokeRank> which) {
        List<Integer> found = all.stream().filter(which).map(SmokeRank::rank).toList();
        String numbers = found.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (found.size() == 1 ? "rank " : "ranks ") + numbers;
    }
}
