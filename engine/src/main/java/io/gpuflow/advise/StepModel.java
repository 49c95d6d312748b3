package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Predicts the time of an optimizer step: compute, and of the communication what compute does not
 * hide.
 */
public final class StepModel {
    /**
     * Compute that runs beside a collective is slower, and the collective too: NCCL's kernels take
     * some of the GPU's cores and of its memory bandwidth. Both from steps of four models on two
     * H200, over NVLink and through host memory (engine/bench/memory/h200x2-time.jsonl): compute
     * grows by 0.15 s for each second of communication beside it, collectives take a tenth longer
     * than alone.
     */
    private static final double SLOWED = 0.15;

    private static final double BESIDE = 1.1;

    /**
     * FSDP2 gathers a layer's weights for the backward pass when the host comes to it. Over a fast
     * link that leaves the GPU idle for about a millisecond a layer (same steps); waiting for a
     * slow link hides it.
     */
    private static final double GATHER_ON_DEMAND = 1e-3;

    private final ModelShape model;
    private final Workload work;
    private final Layout layout;
    private final TrainingMachine machine;
    private final List<TimeLine> lines = new ArrayList<>();

    private StepModel(ModelShape model, Workload work, Layout layout, TrainingMachine machine) {
        this.model = model;
        this.work = work;
        this.layout = layout;
        this.machine = machine;
    }

    public static StepTime of(
            ModelShape model, Workload work, Layout layout, TrainingMachine machine) {
        return new StepModel(model, work, layout, machine).time();
    }

    private StepTime time() {
        Map<Transfer.Hides, Double> sent = new EnumMap<>(Transfer.Hides.class);
        Double communication = communication(sent);
        if (machine.speed() == null) {
            return new StepTime(
                    null, null, communication, null, 0, null, false, List.copyOf(lines));
        }
        ComputeTime once = ComputeModel.of(model, work, layout, machine.speed());
        int steps = layout.accumulation();
        double bubble = once.microStep() * (layout.pp() - 1) / layout.virtualStages();
        double compute = steps * once.microStep() + once.optimizer();
        computeLines(once, steps);
        if (layout.pp() > 1) {
            lines.add(
                    new TimeLine(
                            "pipeline bubble",
                            bubble,
                            "(%d stages − 1) / %d chunks a stage × a micro-step of %.4f s"
                                    .formatted(
                                            layout.pp(),
                                            layout.virtualStages(),
                                            once.microStep())));
        }
        if (communication == null) {
            return new StepTime(
                    null, compute, null, null, bubble, null, once.hostBound(), List.copyOf(lines));
        }
        double exposed = exposed(once, sent, steps);
        double seconds = compute + bubble + exposed;
        double tokens = (double) work.tokens() * layout.dp() * steps;
        return new StepTime(
                seconds,
                compute,
                communication,
                exposed,
                bubble,
                tokens / seconds,
                once.hostBound(),
                List.copyOf(lines));
    }

    private void computeLines(ComputeTime once, int steps) {
        for (TimeLine line : once.lines()) {
            boolean optimizer = line.text().equals("optimizer step");
            boolean many = steps > 1 && !optimizer;
            lines.add(
                    many
                            ? new TimeLine(
                                    line.text(),
                                    line.seconds() * steps,
                                    line.formula() + ", " + steps + " micro-steps")
                            : line);
        }
        double more = once.microStep() - once.forward() - once.backward();
        if (more > 0.02 * once.microStep()) {
            lines.add(
                    new TimeLine(
                            "waiting for the host to start kernels",
                            more * steps,
                            String.format(
                                    Locale.ROOT,
                                    "the host needs %.4f s for the kernels of a micro-step, the GPU %.4f s",
                                    once.hostForward() + once.hostBackward(),
                                    once.forward() + once.backward())));
        }
    }

    /** The sum; null when a link that is used is not known. */
    private Double communication(Map<Transfer.Hides, Double> sent) {
        double sum = 0;
        boolean known = true;
        for (Transfer t : Traffic.of(model, work, layout, RankOrder.of(machine, layout))) {
            Wire wire = machine.wires().get(t.scope());
            if (wire == null) {
                known = false;
                lines.add(
                        new TimeLine(
                                t.text(),
                                Double.NaN,
                                String.format(
                                        Locale.ROOT,
                                        "%.2f GB in %.0f calls among %d ranks over %s, whose bandwidth is not known",
                                        t.total() / 1e9,
                                        t.calls(),
                                        t.ranks(),
                                        t.scope().words())));
                continue;
            }
            double beside = t.hides() == Transfer.Hides.NOTHING ? 1 : BESIDE;
            double seconds = beside * t.calls() * wire.seconds(t.op(), t.ranks(), t.bytes());
            sum += seconds;
            sent.merge(t.hides(), seconds, Double::sum);
            lines.add(new TimeLine(t.text(), seconds, words(t, wire)));
        }
        return known ? sum : null;
    }

    private static String words(Transfer t, Wire wire) {
        return String.format(
                Locale.ROOT,
                "%.0f × %s of %.3f GB among %d ranks over %s, large messages at %.0f GB/s (%s)",
                t.calls(),
                t.op(),
                t.bytes() / 1e9,
                t.ranks(),
                t.scope().words(),
                wire.bandwidth(t.op()),
                wire.source());
    }

    private double exposed(ComputeTime once, Map<Transfer.Hides, Double> sent, int steps) {
        // DDP and ZeRO-1 reduce beside the last backward pass alone.
        boolean lastOnly = layout.data() == DataParallel.DDP || layout.data() == DataParallel.ZERO1;
        double forward = steps * once.forwardPass();
        double backward = (lastOnly ? 1 : steps) * once.backwardPass();
        double beside = sent.getOrDefault(Transfer.Hides.FORWARD, 0.0);
        double behind = sent.getOrDefault(Transfer.Hides.BACKWARD, 0.0);
        double nothing = sent.getOrDefault(Transfer.Hides.NOTHING, 0.0);
        double exposed = nothing + over(beside, forward) + over(behind, backward);
        double idle = Math.max(0, onDemand() * steps - exposed);
        if (beside + behind + nothing > 0) {
            lines.add(
                    new TimeLine(
                            "communication that compute does not hide",
                            exposed,
                            String.format(
                                    Locale.ROOT,
                                    "%.4f s behind nothing; %.4f s beside %.4f s of forward; %.4f s beside %.4f s of backward; %.0f %% of what is hidden slows compute",
                                    nothing,
                                    beside,
                                    forward,
                                    behind,
                                    backward,
                                    100 * SLOWED)));
        }
        if (idle > 0) {
            lines.add(
                    new TimeLine(
                            "waiting for weights that the host gathers on demand",
                            idle,
                            String.format(
                                    Locale.ROOT,
                                    "%.1f ms for each of %d layers of %d micro-steps, less what is waited anyway",
                                    1000 * GATHER_ON_DEMAND,
                                    model.layers() / layout.pp(),
                                    steps)));
        }
        return exposed + idle;
    }

    private double onDemand() {
        boolean again = layout.data() == DataParallel.FSDP2 || layout.data() == DataParallel.ZERO3;
        return again && layout.shard() > 1 ? GATHER_ON_DEMAND * model.layers() / layout.pp() : 0;
    }

    private static double over(double sent, double room) {
        double hidden = Math.min(sent, room);
        return sent - hidden + SLOWED * hidden;
    }
}
