package io.gpuflow.step;

import io.gpuflow.facts.Software;
import io.gpuflow.flow.Action;
import io.gpuflow.tool.ToolCall;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * nccl-tests or rccl-tests: finds the program of a collective, in a checkout (which is built when
 * it is not) or on PATH, and runs it on all visible GPUs of this machine.
 */
final class NcclTests {
    /**
     * Where the program is, or why there is none.
     *
     * @param libraries folders that it needs on LD_LIBRARY_PATH
     */
    record Found(String program, List<String> libraries, String why) {
        static Found none(String why) {
            return new Found(null, List.of(), why);
        }
    }

    private static final List<String> KEEPS = List.of("nccl-*.log", HangEvidence.FOLDER + "/*");

    private final Action.Context context;
    private final KnownFacts known;
    private final String op;

    NcclTests(Action.Context context, KnownFacts known, String op) {
        this.context = context;
        this.known = known;
        this.op = op;
    }

    /**
     * Looks in a checkout, and builds it when it holds no programs.
     *
     * @param checkout absolute folder
     * @param limit for the build
     */
    Found inCheckout(Path checkout, Duration limit) {
        for (String place : List.of("/build/", "/")) {
            String program = checkout + place + op + "_perf";
            if (exists(program)) {
                return new Found(program, List.of(), null);
            }
        }
        if (!exists(checkout + "/Makefile")) {
            String what =
                    exists(checkout.toString()) ? " holds neither " : " is not there: neither ";
            return Found.none(checkout + what + op + "_perf nor a Makefile");
        }
        NcclTestsBuild build = new NcclTestsBuild(context, known, checkout);
        String failed = build.run(limit);
        return failed != null
                ? Found.none(failed)
                : new Found(build.program(op), build.libraries(), null);
    }

    /** By name; whether it is on PATH shows when it is run. */
    Found onPath() {
        return new Found(op + "_perf", List.of(), null);
    }

    /** Runs it, again with the NCCL of PyTorch's wheel when the loader finds none. */
    ToolResult run(Found found, int gpus, MessageSizes sizes, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        ToolResult result = call(found.program(), found.libraries(), gpus, sizes, limit);
        List<String> wheel = wheelLibraries();
        boolean noLibrary =
                result.outcome() == ToolResult.Outcome.EXITED
                        && result.stderr().contains("error while loading shared libraries");
        if (!noLibrary || wheel.isEmpty()) {
            return result;
        }
        List<String> libraries = new ArrayList<>(found.libraries());
        libraries.addAll(wheel);
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        return call(found.program(), libraries, gpus, sizes, left);
    }

    private ToolResult call(
            String program, List<String> libraries, int gpus, MessageSizes sizes, Duration limit) {
        List<String> argv = new ArrayList<>(List.of(program));
        argv.addAll(List.of("-b", MessageSizes.words(sizes.from())));
        argv.addAll(List.of("-e", MessageSizes.words(sizes.to())));
        argv.addAll(List.of("-f", "2", "-g", Integer.toString(gpus)));
        Map<String, String> env = new TreeMap<>(context.env());
        env.put("NCCL_DEBUG", "INFO");
        env.put("NCCL_DEBUG_FILE", "nccl-%p.log");
        if (context.tools().environment().containsKey("NCCL_DEBUG_SUBSYS")) {
            env.put("NCCL_DEBUG_SUBSYS", null); // a narrower choice may leave out the transports
        }
        if (!libraries.isEmpty()) {
            String present = context.tools().environment().getOrDefault("LD_LIBRARY_PATH", "");
            String all = String.join(":", libraries);
            env.put("LD_LIBRARY_PATH", present.isEmpty() ? all : all + ":" + present);
        }
        ToolCall call = new ToolCall(argv, env, context.folder(), limit, KEEPS);
        return context.tools().run(call, new HangEvidence(context, true));
    }

    private List<String> wheelLibraries() {
        return known.all(Software.class).stream()
                .filter(s -> s.name().equals("nccl") || s.name().equals("rccl"))
                .filter(s -> s.where() != null && s.where().startsWith("/"))
                .map(s -> Path.of(s.where()).getParent().toString())
                .distinct()
                .toList();
    }

    private boolean exists(String path) {
        try {
            return !context.tools().glob(path).isEmpty();
        } catch (Tools.NotKnown e) {
            return false;
        }
    }
}
