package io.gpuflow.cli;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Entry;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.State;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.VerdictText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes what is shown of a run out of its ledger, the same while it ends and later. */
final class RunReports {
    private RunReports() {}

    /**
     * @param folder as it is shown, or null when nothing was kept
     * @param exit exit code, or null when there is none
     */
    static RunReport of(Ledger ledger, String folder, Integer exit) {
        Entry.RunStarted started = ledger.started();
        Entry.RunEnded ended = ledger.ended();
        boolean interrupted = ended != null && ended.interrupted();
        Judgement judgement =
                ledger.judgement() != null
                        ? ledger.judgement()
                        : new Judgement(List.of(), List.of(), List.of(), List.of());
        List<String> notes = new ArrayList<>(judgement.notes());
        for (Ledger.StepLog step : ledger.steps()) {
            for (Ledger.Attempt attempt : step.attempts()) {
                if (attempt.ended() != null) {
                    attempt.ended().notes().forEach(n -> notes.add(step.id() + ": " + n));
                }
            }
        }
        notes.addAll(ledger.problems());
        RunNext next = new RunNext(ledger, judgement, folder);
        if (next.noGpu() != null) {
            notes.add(next.noGpu());
        }
        return new RunReport(
                started == null ? "" : started.version(),
                started == null ? "unknown workflow" : started.workflow(),
                started == null ? "unknown machine" : started.machine(),
                started != null && started.replay(),
                started != null && started.dryRun(),
                folder,
                ledger.startedAt(),
                ended == null ? 0 : ended.seconds(),
                interrupted ? null : exit,
                interrupted,
                next.headline(exit),
                steps(ledger),
                judgement.verdicts(),
                judgement.untold(),
                notTried(ledger, judgement.advice()),
                notes,
                next.text(),
                judgement.site());
    }

    private static List<RunReport.StepLine> steps(Ledger ledger) {
        Set<String> ids = new LinkedHashSet<>();
        if (ledger.started() != null) {
            ids.addAll(ledger.started().steps());
        }
        if (ids.isEmpty()) {
            ledger.steps().forEach(step -> ids.add(step.id()));
        }
        List<RunReport.StepLine> lines = new ArrayList<>();
        for (String id : ids) {
            lines.add(line(id, ledger.of(id)));
        }
        return lines;
    }

    private static RunReport.StepLine line(String id, Ledger.StepLog step) {
        if (step == null || step.earlier()) {
            boolean before = step != null && step.state() != null;
            String reason = before ? "before the run was resumed it was " + state(step) : "";
            return new RunReport.StepLine(
                    id, "not begun", reason, 0, null, List.of(), List.of(), Map.of());
        }
        Entry.StepPlanned planned = step.planned();
        return new RunReport.StepLine(
                id,
                planned != null ? planned.would() : state(step),
                planned != null ? planned.says() : reason(step),
                step.seconds(),
                planned != null ? planned.argv() : null,
                step.attempts().stream().map(RunReports::attempt).toList(),
                step.experiments().stream().map(RunReports::experiment).toList(),
                out(step));
    }

    private static String state(Ledger.StepLog step) {
        if (step.interrupted()) {
            return "interrupted";
        }
        return step.running() || step.state() == null ? "running" : step.state().word();
    }

    private static String reason(Ledger.StepLog step) {
        if (step.interrupted()) {
            return "the run was interrupted";
        }
        if (step.running() || step.state() == null) {
            return "gpuflow ended before it did";
        }
        return step.reason();
    }

    private static RunReport.AttemptLine attempt(Ledger.Attempt attempt) {
        Entry.AttemptStarted started = attempt.started();
        Entry.AttemptEnded ended = attempt.ended();
        return new RunReport.AttemptLine(
                started.attempt(),
                started.matrix(),
                started.experiment(),
                started.changed(),
                ended == null ? null : ended.state().word(),
                ended == null ? "" : ended.reason(),
                ended == null ? 0 : ended.seconds(),
                started.folder());
    }

    private static RunReport.ExperimentLine experiment(Entry.ExperimentEnded e) {
        return new RunReport.ExperimentLine(
                e.experiment(), e.outcome(), e.before(), e.after(), e.unit(), e.env(), e.says());
    }

    /** The outputs of the last attempt at each point; a list with a matrix. */
    private static Object out(Ledger.StepLog step) {
        Map<Map<String, Object>, Map<String, Object>> outs = new LinkedHashMap<>();
        for (Ledger.Attempt attempt : step.attempts()) {
            if (attempt.started().experiment() == null && attempt.ended() != null) {
                outs.put(attempt.started().matrix(), attempt.ended().out());
            }
        }
        if (outs.size() == 1 && outs.containsKey(Map.<String, Object>of())) {
            return outs.values().iterator().next();
        }
        List<Map<String, Object>> list = new ArrayList<>();
        outs.forEach(
                (matrix, out) -> {
                    Map<String, Object> one = new LinkedHashMap<>();
                    one.put("matrix", matrix);
                    one.putAll(out);
                    list.add(one);
                });
        return list.isEmpty() ? Map.of() : list;
    }

    /** Advice that led to no experiment because no step declares it. */
    private static List<Advice> notTried(Ledger ledger, List<Advice> advice) {
        Set<String> tried = new LinkedHashSet<>();
        for (Ledger.StepLog step : ledger.steps()) {
            step.experiments().forEach(e -> tried.add(e.experiment()));
        }
        return advice.stream().filter(a -> !tried.contains(a.experiment())).toList();
    }

    static boolean passed(State state) {
        return state != null && state.lets();
    }

    /** What follows from another finding is told beneath it and counts with it. */
    static long count(List<Verdict> verdicts, Verdict.Level level) {
        return VerdictText.heads(verdicts).stream().filter(v -> v.level() == level).count();
    }
}
