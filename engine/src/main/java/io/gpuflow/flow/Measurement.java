package io.gpuflow.flow;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.SmokeRun;
import java.util.List;

/**
 * What one attempt showed, as far as two attempts can be compared.
 *
 * @param works whether the step did its work; null when the attempt can't tell (a tool that is
 *     missing says nothing about the setting under test)
 * @param value largest-message bus bandwidth or time, in unit; null when there is none
 * @param unit "GB/s", where more is better, or "s", which is only told
 * @param op the collective that was measured, or null
 * @param reason the attempt's own, in one line
 */
record Measurement(Boolean works, Double value, String unit, String op, String reason) {
    static final String BANDWIDTH = "GB/s";

    /** A smoke run or a benchmark is read from its facts, any other step from its state. */
    static Measurement of(Action.Outcome outcome) {
        SmokeRun smoke = last(outcome.facts(), SmokeRun.class);
        if (smoke != null) {
            boolean right =
                    outcome.facts().stream()
                            .map(Observed::fact)
                            .noneMatch(f -> f instanceof SmokeRank r && falseSum(r));
            return new Measurement(
                    works(smoke, right, outcome), smoke.seconds(), "s", null, outcome.reason());
        }
        Bench bench = last(outcome.facts(), Bench.class);
        if (bench != null) {
            Double value = bench.largeBusbwGbps();
            return new Measurement(
                    works(bench, outcome), value, BANDWIDTH, bench.op(), outcome.reason());
        }
        return new Measurement(works(outcome), null, null, null, outcome.reason());
    }

    private static boolean falseSum(SmokeRank rank) {
        return Boolean.FALSE.equals(rank.sumRight());
    }

    private static Boolean works(SmokeRun smoke, boolean right, Action.Outcome outcome) {
        if (Boolean.TRUE.equals(smoke.hung()) || Boolean.FALSE.equals(smoke.finished()) || !right) {
            return false;
        }
        return smoke.finished() == null ? works(outcome) : Boolean.TRUE;
    }

    private static Boolean works(Bench bench, Action.Outcome outcome) {
        if (Boolean.FALSE.equals(bench.completed())
                || (bench.wrong() != null && bench.wrong() > 0)) {
            return false;
        }
        return works(outcome);
    }

    private static Boolean works(Action.Outcome outcome) {
        return switch (outcome.state()) {
            case PASSED, WARNED -> true;
            case FAILED -> false;
            case BROKEN -> ToolFailures.ranAndFailed(outcome.facts()) ? Boolean.FALSE : null;
            default -> null;
        };
    }

    private static <T> T last(List<Observed> facts, Class<T> type) {
        T found = null;
        for (Observed fact : facts) {
            if (type.isInstance(fact.fact())) {
                found = type.cast(fact.fact());
            }
        }
        return found;
    }
}
