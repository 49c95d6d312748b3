package io.gpuflow.step;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.ModelSize;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.ParallelPlan;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.tool.FileResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Chooses the parallelism that the links allow; runs nothing. */
public final class ChooseParallelism implements Action {
    private static final Source SOURCE = Source.of("choose-parallelism");

    @Override
    public Outcome run(Context context) {
        KnownFacts known = KnownFacts.of(context.facts());
        List<Observed> facts = new ArrayList<>();
        ModelSize model = null;
        if (context.with().get("model") instanceof String file && !file.isEmpty()) {
            try {
                model = model(context, file);
                facts.add(new Observed(model, Source.of(file)));
            } catch (ModelDescription.NotRead e) {
                return outcome(State.BROKEN, e.getMessage(), facts, "ModelSize");
            }
        }
        List<ParallelPlan> plans;
        try {
            plans = Parallelism.plans(known, model == null ? null : model.parameters());
        } catch (Parallelism.NotKnown e) {
            return outcome(State.UNKNOWN, e.getMessage() + "; nothing is inferred", facts, null);
        }
        for (Fact plan : plans) {
            facts.add(new Observed(plan, SOURCE));
        }
        ParallelPlan chosen = plans.stream().filter(ParallelPlan::chosen).findFirst().orElse(null);
        return new Outcome(State.PASSED, reason(known, plans, chosen), facts, out(chosen));
    }

    private static ModelSize model(Context context, String file) throws ModelDescription.NotRead {
        FileResult read = context.tools().read(file);
        if (!read.ok()) {
            throw new ModelDescription.NotRead(file + ": " + read.why());
        }
        return ModelDescription.read(file, read.text());
    }

    private static Outcome outcome(State state, String why, List<Observed> facts, String further) {
        facts.add(new Observed(new Unknown("ParallelPlan", why), SOURCE));
        if (further != null) {
            facts.add(new Observed(new Unknown(further, why), SOURCE));
        }
        return new Outcome(state, why, facts, Map.of());
    }

    private static String reason(KnownFacts known, List<ParallelPlan> plans, ParallelPlan chosen) {
        Topology topology = known.last(Topology.class);
        String links = topology == null ? "" : topology.linkClass().label() + ": ";
        if (chosen == null) {
            List<String> names = plans.stream().map(ParallelPlan::strategy).toList();
            return links + "the model's training states fit none of " + String.join(", ", names);
        }
        List<String> words = new ArrayList<>(List.of(words(chosen)));
        plans.stream().filter(p -> !p.chosen()).map(ChooseParallelism::words).forEach(words::add);
        return links + String.join("; else ", words);
    }

    /** ddp, up to 8.2 billion parameters. */
    private static String words(ParallelPlan plan) {
        String fit = plan.because().get(1).replaceAll(" \\(.*", "");
        String groups = plan.strategy().startsWith("tp") ? " on GPUs " + groups(plan) : "";
        return plan.strategy() + groups + ", " + fit;
    }

    /** 0 1 2 3, or 0 1 and 2 3. */
    private static String groups(ParallelPlan plan) {
        return plan.groups().stream()
                .map(group -> group.stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" and "));
    }

    private static Map<String, Object> out(ParallelPlan chosen) {
        Map<String, Object> out = new LinkedHashMap<>();
        if (chosen != null) {
            out.put("strategy", chosen.strategy());
            out.put("gpus", chosen.gpus());
            out.put("tensor_parallel", chosen.tensorParallel());
            out.put("data_parallel", chosen.dataParallel());
            out.put("pipeline_parallel", chosen.pipelineParallel());
            out.put("groups", chosen.groups());
            out.put("fits", chosen.fits());
            out.put("because", chosen.because());
        }
        return out;
    }
}
