package io.gpuflow.cli;

import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.State;

/** The exit code of a run: what was found outranks what could not be told. */
final class RunExit {
    private RunExit() {}

    static int of(Ledger ledger, boolean interrupted, Verdict.Level failOn) {
        if (interrupted) {
            return ExitCode.INTERRUPTED;
        }
        boolean found =
                ledger.judgement() != null
                        && ledger.judgement().verdicts().stream()
                                .anyMatch(v -> v.level().compareTo(failOn) <= 0);
        boolean untold =
                ledger.judgement() != null && !ledger.judgement().site().broken().isEmpty();
        for (Ledger.StepLog step : ledger.steps()) {
            found |= step.state() == State.FAILED;
            untold |=
                    step.state() == State.BROKEN
                            || step.state() == State.UNKNOWN
                            || step.state() == State.BLOCKED;
        }
        if (found) {
            return ExitCode.FOUND;
        }
        return untold ? ExitCode.UNTOLD : ExitCode.OK;
    }
}
