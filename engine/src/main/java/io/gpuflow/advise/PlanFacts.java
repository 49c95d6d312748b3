package io.gpuflow.advise;

import io.gpuflow.facts.TrainingModel;
import io.gpuflow.facts.TrainingPlan;
import java.util.Locale;

/** Candidates as facts, for rules to judge. */
public final class PlanFacts {
    private static final double GIB = 1L << 30;

    private PlanFacts() {}

    public static TrainingModel of(ModelShape m) {
        return new TrainingModel(
                m.family(),
                m.parameters().total(),
                m.parameters().active(),
                m.heads(),
                m.kvHeads(),
                m.layers(),
                m.hidden(),
                m.vocab(),
                m.experts() == null ? null : m.experts().count());
    }

    /**
     * @param remedy what would make it fit, or null
     */
    public static TrainingPlan of(
            int number, Request request, Candidate c, TrainingMachine machine, String remedy) {
        Layout l = c.layout();
        RankOrder order = RankOrder.of(machine, l);
        boolean links = machine.joined() != null;
        StepTime t = c.time();
        return new TrainingPlan(
                number,
                l.strategy(),
                l.data().word(),
                l.world(),
                l.dp(),
                l.shard(),
                l.hybrid(),
                l.tp(),
                l.sequenceParallel(),
                l.pp(),
                l.cp(),
                l.ep(),
                l.tp() > 1 ? link(order.tensor(), links) : null,
                l.dp() > 1 ? link(order.data(l.shard() > 1 ? l.shard() : l.dp()), links) : null,
                l.ep() > 1 ? link(order.data(Math.min(l.ep(), l.dp())), links) : null,
                l.accumulation(),
                c.workload().seq(),
                c.fits(),
                gib(c.peak().total()),
                request.gpuMemory() == null ? null : gib(request.gpuMemory()),
                c.peak().phase(),
                Reasons.binding(c.peak()),
                remedy,
                t == null ? null : t.seconds(),
                t == null ? null : t.communication(),
                t == null ? null : t.exposed(),
                t == null ? null : t.bubble(),
                t != null && t.hostBound());
    }

    private static String link(Scope scope, boolean known) {
        return switch (scope) {
            case FAST -> "fast";
            case MACHINE -> known ? "pcie" : null;
            case NETWORK -> "network";
        };
    }

    private static double gib(long bytes) {
        return Double.parseDouble(String.format(Locale.ROOT, "%.1f", bytes / GIB));
    }
}
