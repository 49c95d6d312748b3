package io.gpuflow.step;

import io.gpuflow.flow.Action;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Starts the ranks of one of our scripts on this machine: by torchrun --standalone, or by our own
 * small launcher where torchrun can't start any.
 */
final class RankLauncher {
    /** What ranks leave in their folder. */
    static final List<String> KEEPS =
            List.of("nccl-rank*.log", "stack-rank*.txt", "fr-rank*", HangEvidence.FOLDER + "/*");

    /** Less time than this is not worth a second start. */
    private static final Duration LEAST = Duration.ofSeconds(10);

    /**
     * What came of it.
     *
     * @param result of the launcher that was used last
     * @param launcher torchrun or gpuflow
     * @param fault why torchrun could not start a rank, null when it could
     */
    record Launch(ToolResult result, String launcher, String fault) {}

    private final Action.Context context;
    private final String python;

    RankLauncher(Action.Context context, String python) {
        this.context = context;
        this.python = python;
    }

    Launch run(Ranks ranks, String script, List<String> arguments) throws IOException {
        Scripts.put(context.folder(), script);
        long deadline = System.nanoTime() + context.limit().toNanos();
        List<String> torchrun = new ArrayList<>(List.of(python, "-m", "torch.distributed.run"));
        torchrun.add("--standalone");
        torchrun.add("--nproc_per_node=" + ranks.count());
        // The agent looks for dead workers this often; with the 5 s of torch 1.13 it blames the
        // victim.
        torchrun.add("--monitor_interval=0.1");
        torchrun.add(script);
        torchrun.addAll(arguments);
        ToolResult result = call(torchrun, context.limit(), ranks);
        String fault = faultOf(result);
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        if (fault == null || left.compareTo(LEAST) < 0) {
            return new Launch(result, "torchrun", fault);
        }
        List<String> own = new ArrayList<>(List.of(python, Scripts.LAUNCH));
        own.add(Integer.toString(ranks.count()));
        own.add(script);
        own.addAll(arguments);
        return new Launch(call(own, left, ranks), "gpuflow", fault);
    }

    private ToolResult call(List<String> argv, Duration limit, Ranks ranks) {
        ToolCall call = new ToolCall(argv, environment(), context.folder(), limit, KEEPS);
        return context.tools().run(call, new HangEvidence(context, ranks.onGpus()));
    }

    private Map<String, String> environment() {
        Map<String, String> env = new TreeMap<>(context.env());
        env.putIfAbsent("PYTHONUNBUFFERED", "1");
        env.putIfAbsent("PYTHONDONTWRITEBYTECODE", "1");
        if (!context.tools().environment().containsKey("OMP_NUM_THREADS")) {
            env.putIfAbsent("OMP_NUM_THREADS", "1"); // as torchrun would, with a banner
        }
        return env;
    }

    /** Why torchrun started no rank at all; null when it started one, or did not end by itself. */
    private static String faultOf(ToolResult result) {
        boolean failed = result.outcome() == ToolResult.Outcome.EXITED && result.exit() != 0;
        if (!failed || result.stdout().contains("@gpuflow {")) {
            return null;
        }
        String text = result.stderr();
        if (text.contains("to_map") && text.contains("'NoneType' object has no attribute 'get'")) {
            return "it breaks on Python 3.11 and later, but works with -r 9:1 -t 9:1";
        }
        if (text.contains("use_libuv was requested")) {
            return "it asks for libuv, which this PyTorch is built without";
        }
        String last = LastLine.of(text);
        return "it exits " + result.exit() + (last.isEmpty() ? "" : ": " + last);
    }
}
