package io.gpuflow.flow;

import static java.util.Objects.requireNonNull;

import io.gpuflow.facts.Judgement;
import java.util.List;
import java.util.Map;

/**
 * One line of the journal. Everything a run knows about itself is one of these; the recap, {@code
 * report} and {@code --resume} read nothing else.
 */
public sealed interface Entry {

    /**
     * gpuflow took up the run, for the first time or again.
     *
     * @param version of gpuflow
     * @param workflow path as it was given
     * @param inputs values in force, secrets masked
     * @param machine "this machine" or the recording's name
     * @param replay true when the tools' answers come from a recording
     * @param recording its folder, absolute; null without one and in journals of earlier versions
     * @param dryRun true when only read steps are run
     * @param steps ids of all steps, in the order of the file
     * @param pid process id, for the message about a run that is in use
     */
    record RunStarted(
            String version,
            String workflow,
            Map<String, Object> inputs,
            String machine,
            boolean replay,
            String recording,
            boolean dryRun,
            List<String> steps,
            long pid)
            implements Entry {
        public RunStarted {
            requireNonNull(workflow);
            inputs = inputs == null ? Map.of() : inputs;
            steps = steps == null ? List.of() : Complete.all(steps);
            requireNonNull(version);
            requireNonNull(machine);
        }
    }

    /**
     * A step begins; what it brings is worth reusing while the key stays the same.
     *
     * @param again why an earlier result is not reused, or null
     */
    record StepStarted(String step, StepKey key, String again) implements Entry {
        public StepStarted {
            requireNonNull(step);
            requireNonNull(key);
        }
    }

    /**
     * A step's action begins.
     *
     * @param attempt number of the folder, from 1, never used twice in a run
     * @param matrix coordinates, empty without a matrix
     * @param experiment the experiment it belongs to, or null for the step as it stands
     * @param changed false when an experiment runs the step as it stands once more
     * @param folder relative to the run's folder
     */
    record AttemptStarted(
            String step,
            int attempt,
            Map<String, Object> matrix,
            String experiment,
            boolean changed,
            String folder)
            implements Entry {
        public AttemptStarted {
            requireNonNull(step);
            requireNonNull(folder);
            matrix = matrix == null ? Map.of() : matrix;
        }
    }

    /**
     * A step's action ended.
     *
     * @param failure timeout, missing, "exit 75" … as {@code retry: for:} names it; null when it
     *     did its work
     * @param facts file with the facts it brought, relative to the run's folder
     * @param factsHash SHA-256 of that file
     * @param notes what else should be known, such as files that could not be kept
     */
    record AttemptEnded(
            String step,
            int attempt,
            State state,
            String reason,
            String failure,
            double seconds,
            String facts,
            String factsHash,
            Map<String, Object> out,
            List<String> notes)
            implements Entry {
        public AttemptEnded {
            requireNonNull(step);
            requireNonNull(state);
            requireNonNull(reason);
            out = out == null ? Map.of() : out;
            notes = notes == null ? List.of() : Complete.all(notes);
        }
    }

    /**
     * An experiment is over.
     *
     * @param outcome confirmed, refuted, inconclusive or not tried
     * @param before result without the change, in unit; null when there was none
     * @param after result with it
     * @param env the variables that were different; a null value was unset
     * @param says one line with both results and the cost, or why it was not tried
     */
    record ExperimentEnded(
            String step,
            String experiment,
            String outcome,
            Double before,
            Double after,
            String unit,
            Map<String, String> env,
            String says)
            implements Entry {
        public ExperimentEnded {
            requireNonNull(step);
            requireNonNull(experiment);
            requireNonNull(outcome);
            requireNonNull(says);
            env = env == null ? Map.of() : env;
        }
    }

    /** The rules were asked. A null step is the judgement over the whole run. */
    record Judged(String step, List<String> areas, Judgement judgement) implements Entry {
        public Judged {
            Complete.judgement(requireNonNull(judgement));
        }
    }

    record StepEnded(String step, State state, String reason, double seconds) implements Entry {
        public StepEnded {
            requireNonNull(step);
            requireNonNull(state);
            requireNonNull(reason);
        }
    }

    /**
     * In a dry run, what a step would do.
     *
     * @param would run, skip, refuse or "can't tell"
     * @param argv the command where it is known, or null
     */
    record StepPlanned(String step, String would, String says, List<String> argv) implements Entry {
        public StepPlanned {
            requireNonNull(step);
            requireNonNull(would);
            requireNonNull(says);
            argv = argv == null ? null : Complete.all(argv);
        }
    }

    /** The run was interrupted while this step was running. */
    record StepInterrupted(String step, double seconds) implements Entry {
        public StepInterrupted {
            requireNonNull(step);
        }
    }

    /**
     * gpuflow let go of the run in good order.
     *
     * @param exit the exit code; null after an interruption, where the signal decides
     */
    record RunEnded(Integer exit, boolean interrupted, double seconds) implements Entry {}
}
