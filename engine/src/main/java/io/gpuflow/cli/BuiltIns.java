package io.gpuflow.cli;

import io.gpuflow.flow.Action;
import io.gpuflow.step.ChooseParallelism;
import io.gpuflow.step.CollectiveBench;
import io.gpuflow.step.DdpSmoke;
import io.gpuflow.step.Diagnose;
import io.gpuflow.step.ProbeStep;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The built-in steps by the name that {@code uses:} takes. To add one, add its line. */
final class BuiltIns {
    private static final Map<String, Supplier<Action>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("probe", ProbeStep::new);
        ALL.put("choose-parallelism", ChooseParallelism::new);
        ALL.put("ddp-smoke", DdpSmoke::new);
        ALL.put("nccl-tests", CollectiveBench::new);
        ALL.put("diagnose", Diagnose::new);
    }

    private BuiltIns() {}

    /** Loads only the one that is asked for. */
    static Action named(String name) {
        Supplier<Action> action = ALL.get(name);
        if (action == null) {
            throw new IllegalArgumentException("there is no built-in step " + name);
        }
        return action.get();
    }
}
