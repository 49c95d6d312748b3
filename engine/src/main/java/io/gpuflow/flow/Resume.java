package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decides whether the result of an earlier run of a step stands, and says why not. */
final class Resume {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    /**
     * What was decided.
     *
     * @param stands the attempts whose results are reused, one a point of the matrix; null when the
     *     step has to run
     * @param facts what they brought
     * @param reason why it is reused, or why not; null when it never ran before
     */
    record Decision(List<Ledger.Attempt> stands, List<Observed> facts, String reason) {
        static Decision runs(String reason) {
            return new Decision(null, List.of(), reason);
        }
    }

    private Resume() {}

    /**
     * Decides.
     *
     * @param points how many points the step's matrix has; 1 without a matrix
     */
    static Decision decide(RunFolder folder, Ledger.StepLog before, StepKey now, int points) {
        if (before == null || before.key() == null) {
            return Decision.runs(null);
        }
        if (before.running() || before.interrupted()) {
            return Decision.runs("it was running when the run ended");
        }
        State state = before.state();
        if (state != State.PASSED && state != State.WARNED && state != State.REUSED) {
            return Decision.runs("it " + (state == null ? "did not end" : was(state)));
        }
        List<String> differences = now.differences(before.key());
        if (!differences.isEmpty()) {
            return Decision.runs(String.join("; ", differences));
        }
        List<Ledger.Attempt> attempts = lastAttempts(before);
        if (attempts.size() != points) {
            return Decision.runs("its record is not complete");
        }
        List<Observed> facts = new ArrayList<>();
        for (Ledger.Attempt attempt : attempts) {
            try {
                String file = attempt.ended().facts();
                facts.addAll(
                        FactFile.read(folder.path().resolve(file), attempt.ended().factsHash()));
            } catch (IOException | RuntimeException e) {
                return Decision.runs("its facts can't be read back: " + e.getMessage());
            }
        }
        facts.addAll(Experiments.tried(before.experiments()));
        String when = before.ended() == null ? "" : " at " + TIME.format(before.ended());
        return new Decision(attempts, facts, "nothing it rests on changed since it ended" + when);
    }

    private static String was(State state) {
        return switch (state) {
            case FAILED -> "failed";
            case BROKEN -> "broke";
            case UNKNOWN -> "could not tell";
            default -> "was " + state.word();
        };
    }

    /** The last attempt at each point of the matrix, experiments left out. */
    static List<Ledger.Attempt> lastAttempts(Ledger.StepLog step) {
        Map<Map<String, Object>, Ledger.Attempt> last = new LinkedHashMap<>();
        for (Ledger.Attempt attempt : step.attempts()) {
            if (attempt.started().experiment() == null && attempt.ended() != null) {
                last.put(attempt.started().matrix(), attempt);
            }
        }
        return List.copyOf(last.values());
    }
}
