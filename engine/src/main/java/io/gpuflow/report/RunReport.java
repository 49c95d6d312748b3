package io.gpuflow.report;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A run as it is shown, whatever the format: while it has just ended and later by {@code report}.
 *
 * @param workflow file as it was named
 * @param machine "this machine" or the recording's name
 * @param replay true when no tool was run: the answers come from a recording
 * @param folder the run's folder, or null when nothing was kept
 * @param started when it first began; null when not known
 * @param exit exit code, or null while it runs or when gpuflow died
 * @param headline what the run came to, in one sentence
 * @param verdicts over the whole run, roots first, worst first
 * @param untold rules that could not be told
 * @param advice experiments that rules ask for and no step was to try
 * @param notes what else should be known: unreadable lines of the journal, the policy's own notes
 * @param next the one thing to do now, or null
 * @param site what the site's policy had to do with it
 */
public record RunReport(
        String version,
        String workflow,
        String machine,
        boolean replay,
        boolean dryRun,
        String folder,
        Instant started,
        double seconds,
        Integer exit,
        boolean interrupted,
        String headline,
        List<StepLine> steps,
        List<Verdict> verdicts,
        List<Judgement.Untold> untold,
        List<Advice> advice,
        List<String> notes,
        String next,
        Judgement.Site site) {

    /** A run that the shipped rules alone judged. */
    public RunReport(
            String version,
            String workflow,
            String machine,
            boolean replay,
            boolean dryRun,
            String folder,
            Instant started,
            double seconds,
            Integer exit,
            boolean interrupted,
            String headline,
            List<StepLine> steps,
            List<Verdict> verdicts,
            List<Judgement.Untold> untold,
            List<Advice> advice,
            List<String> notes,
            String next) {
        this(
                version,
                workflow,
                machine,
                replay,
                dryRun,
                folder,
                started,
                seconds,
                exit,
                interrupted,
                headline,
                steps,
                verdicts,
                untold,
                advice,
                notes,
                next,
                Judgement.Site.NONE);
    }

    /**
     * A step.
     *
     * @param state passed, warned …, interrupted, running (gpuflow died), "not begun"; in a dry run
     *     what it would do
     * @param argv in a dry run the command where it is known, else null
     * @param out outputs, plain; empty when there are none
     */
    public record StepLine(
            String id,
            String state,
            String reason,
            double seconds,
            List<String> argv,
            List<AttemptLine> attempts,
            List<ExperimentLine> experiments,
            Object out) {}

    /**
     * An attempt at a step.
     *
     * @param experiment or null for the step as it stands
     * @param changed false when an experiment ran the step as it stands
     * @param state null when it did not end
     */
    public record AttemptLine(
            int attempt,
            Map<String, Object> matrix,
            String experiment,
            boolean changed,
            String state,
            String reason,
            double seconds,
            String folder) {}

    /** What was tried on a step, with both results. */
    public record ExperimentLine(
            String name,
            String outcome,
            Double before,
            Double after,
            String unit,
            Map<String, String> env,
            String says) {}
}
