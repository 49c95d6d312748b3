package io.gpuflow.step;

import static io.gpuflow.expr.Type.BOOL;
import static io.gpuflow.expr.Type.DOUBLE;
import static io.gpuflow.expr.Type.INT;
import static io.gpuflow.expr.Type.TEXT;
import static io.gpuflow.expr.Type.listOf;

import io.gpuflow.expr.Type;
import io.gpuflow.flow.Catalog.ActionInfo;
import io.gpuflow.flow.Catalog.Param;
import io.gpuflow.flow.Effect;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the built-in steps take and bring, so that a workflow can be checked without loading them.
 */
public final class StepCatalog {
    private static final Map<String, ActionInfo> ALL = new LinkedHashMap<>();

    static {
        ALL.put("probe", probe());
        ALL.put("choose-parallelism", chooseParallelism());
        ALL.put("ddp-smoke", ddpSmoke());
        ALL.put("nccl-tests", ncclTests());
        ALL.put("diagnose", diagnose());
    }

    private StepCatalog() {}

    /** By the name that {@code uses:} takes. */
    public static Map<String, ActionInfo> all() {
        return ALL;
    }

    private static ActionInfo probe() {
        Map<String, Param> with = new LinkedHashMap<>();
        with.put("only", optional(listOf(TEXT), "names of probes; all when not given"));
        Map<String, Type> out = new LinkedHashMap<>();
        out.put("gpus", listOf(INT));
        out.put("vendor", TEXT);
        out.put("link_class", TEXT);
        return new ActionInfo("asks the machine what it is", Effect.READ, with, out);
    }

    private static ActionInfo chooseParallelism() {
        Map<String, Param> with = new LinkedHashMap<>();
        with.put("model", optional(TEXT, "file that describes the model to train"));
        Map<String, Type> out = new LinkedHashMap<>();
        out.put("strategy", TEXT);
        out.put("gpus", INT);
        out.put("tensor_parallel", INT);
        out.put("data_parallel", INT);
        out.put("pipeline_parallel", INT);
        out.put("groups", listOf(listOf(INT)));
        out.put("fits", BOOL);
        out.put("because", listOf(TEXT));
        return new ActionInfo(
                "chooses the parallelism that the links allow", Effect.READ, with, out);
    }

    private static ActionInfo ddpSmoke() {
        Map<String, Type> out = new LinkedHashMap<>();
        out.put("backend", TEXT);
        out.put("world_size", INT);
        out.put("visible_gpus", INT);
        out.put("finished", BOOL);
        out.put("hung", BOOL);
        out.put("stage", TEXT);
        out.put("seconds", DOUBLE);
        out.put("launcher", TEXT);
        out.put("transport", TEXT);
        return new ActionInfo(
                "trains a tiny model on every visible GPU", Effect.LOAD, Map.of(), out);
    }

    private static ActionInfo ncclTests() {
        Map<String, Param> with = new LinkedHashMap<>();
        with.put(
                "op",
                optional(TEXT, "collective: all_reduce, all_gather, …; all_reduce by default"));
        with.put("from", optional(TEXT, "smallest message: 8 bytes by default"));
        with.put(
                "to", optional(TEXT, "largest message: 2G by default, less where memory is short"));
        with.put(
                "checkout",
                optional(
                        TEXT, "folder of nccl-tests or rccl-tests, built or not: a copy is built"));
        Map<String, Type> out = new LinkedHashMap<>();
        out.put("tool", TEXT);
        out.put("op", TEXT);
        out.put("ranks", INT);
        out.put("peak_busbw_gbps", DOUBLE);
        out.put("average_busbw_gbps", DOUBLE);
        out.put("large_busbw_gbps", DOUBLE);
        out.put("wrong", INT);
        out.put("transport", TEXT);
        out.put("ceiling_gbps", DOUBLE);
        out.put("expected_gbps", DOUBLE);
        out.put("reference_gbps", DOUBLE);
        out.put("reference", TEXT);
        return new ActionInfo("measures a collective's bandwidth", Effect.LOAD, with, out);
    }

    private static ActionInfo diagnose() {
        Map<String, Param> with = new LinkedHashMap<>();
        with.put("logs", optional(listOf(TEXT), "further files or folders to read"));
        return new ActionInfo(
                "reads logs and dumps for the rules to judge", Effect.READ, with, Map.of());
    }

    private static Param optional(Type type, String help) {
        return new Param(type, false, help);
    }
}
