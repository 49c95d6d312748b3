package io.gpuflow.report;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run as plain values for {@code --json}: everything the recap shows, and what it leaves out. */
public final class RunValues {
    private RunValues() {}

    public static Map<String, Object> of(RunReport run) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gpuflow", 1);
        values.put("version", run.version());
        values.put("workflow", run.workflow());
        values.put("machine", run.machine());
        values.put("replay", run.replay());
        values.put("dry_run", run.dryRun());
        values.put("run", run.folder());
        values.put("started", run.started() == null ? null : run.started().toString());
        values.put("seconds", run.seconds());
        values.put("exit", run.exit());
        values.put("interrupted", run.interrupted());
        values.put("headline", run.headline());
        values.put("steps", run.steps().stream().map(RunValues::step).toList());
        values.put("findings", VerdictValues.of(run.verdicts()));
        values.put("unknown", run.untold().stream().map(RunValues::untold).toList());
        values.put("advice", run.advice().stream().map(RunValues::advice).toList());
        values.put("notes", run.notes());
        values.put("next", run.next());
        SiteValues.into(values, run.site());
        return values;
    }

    private static Map<String, Object> step(RunReport.StepLine step) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", step.id());
        values.put("state", step.state());
        values.put("reason", step.reason());
        values.put("seconds", step.seconds());
        if (step.argv() != null) {
            values.put("argv", step.argv());
        }
        values.put("attempts", step.attempts().stream().map(RunValues::attempt).toList());
        values.put("experiments", step.experiments().stream().map(RunValues::experiment).toList());
        values.put("out", step.out());
        return values;
    }

    private static Map<String, Object> attempt(RunReport.AttemptLine attempt) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("attempt", attempt.attempt());
        values.put("matrix", attempt.matrix());
        values.put("experiment", attempt.experiment());
        values.put("changed", attempt.changed());
        values.put("state", attempt.state());
        values.put("reason", attempt.reason());
        values.put("seconds", attempt.seconds());
        values.put("folder", attempt.folder());
        return values;
    }

    private static Map<String, Object> experiment(RunReport.ExperimentLine tried) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", tried.name());
        values.put("outcome", tried.outcome());
        values.put("before", tried.before());
        values.put("after", tried.after());
        values.put("unit", tried.unit());
        values.put("env", tried.env());
        values.put("says", tried.says());
        return values;
    }

    private static Map<String, Object> untold(Judgement.Untold untold) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rule", untold.rule());
        values.put("area", untold.area());
        List<Map<String, Object>> missing = new ArrayList<>();
        for (Unknown unknown : untold.missing()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("what", unknown.what());
            one.put("why", unknown.why());
            missing.add(one);
        }
        values.put("missing", missing);
        return values;
    }

    private static Map<String, Object> advice(Advice advice) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rule", advice.rule());
        values.put("experiment", advice.experiment());
        values.put("reason", advice.reason());
        return values;
    }
}
