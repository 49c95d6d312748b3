package io.gpuflow.advise.memory;

import io.gpuflow.advise.Optimizer;
import java.util.ArrayList;
import java.util.List;

/**
 * What torch's optimizers keep for every parameter, and what their step allocates for a moment, by
 * torch/optim/*.py.
 */
final class OptimizerStep {
    /** A parameter as the optimizer of this GPU sees it. */
    record Local(long rows, long columns, int width, boolean matrix) {
        long elements() {
            return rows * columns;
        }
    }

    private final Optimizer optimizer;
    private final Memory memory;
    private final List<Local> hidden = new ArrayList<>();
    private final List<Local> others = new ArrayList<>();
    private final List<Storage> states = new ArrayList<>();

    /**
     * @param outside the embedding, the output layer and what else Muon leaves to AdamW
     */
    OptimizerStep(Optimizer optimizer, Memory memory, List<Local> layers, List<Local> outside) {
        this.optimizer = optimizer;
        this.memory = memory;
        for (Local p : layers) {
            (optimizer == Optimizer.MUON && !p.matrix() ? others : hidden).add(p);
        }
        (optimizer == Optimizer.MUON ? others : hidden).addAll(outside);
    }

    /** The first step makes the states. */
    void run() {
        if (states.isEmpty()) {
            hidden.forEach(p -> makeStates(p, optimizer));
            others.forEach(p -> makeStates(p, Optimizer.ADAMW));
        }
        temporaries(hidden, optimizer);
        temporaries(others, Optimizer.ADAMW);
    }

    private void makeStates(Local p, Optimizer kind) {
        switch (kind) {
            case ADAMW, ADAMW_FUSED -> {
                state("first moments", p.rows(), p.columns(), p.width());
                state("second moments", p.rows(), p.columns(), p.width());
            }
            case ADAM8BIT -> eightBit(p);
            case SGD_MOMENTUM, LION, MUON -> state("momentum", p.rows(), p.columns(), p.width());
            case ADAFACTOR -> {
                boolean factored = p.rows() > 1;
                state("second moments, rows", 1, factored ? p.rows() : p.columns(), p.width());
                state("second moments, columns", factored ? 1 : 0, p.columns(), p.width());
            }
            case SGD -> {}
        }
    }

    /** bitsandbytes: a byte each, a scale for every 256; small tensors stay in fp32. */
    private void eightBit(Local p) {
        int width = p.elements() < 4096 ? 4 : 1;
        for (String moments : List.of("first moments", "second moments")) {
            state(moments, p.rows(), p.columns(), width);
            state("scales of " + moments, 1, width == 1 ? (p.elements() + 255) / 256 : 0, 4);
        }
    }

    private void state(String name, long rows, long columns, int width) {
        states.add(memory.allocate(name, Part.OPTIMIZER, rows, columns, width));
    }

    private void temporaries(List<Local> parameters, Optimizer kind) {
        List<Storage> made = new ArrayList<>();
        switch (kind) {
            // _multi_tensor_adamw: torch._foreach_sqrt(exp_avg_sqs) for all parameters at once.
            case ADAMW ->
                    parameters.forEach(
                            p -> made.add(temporary("root of the second moments", p, p.width())));
            // One parameter after the other, a copy of each.
            case ADAFACTOR, LION ->
                    largest(parameters).forEach(p -> made.add(temporary("update", p, p.width())));
            // Newton-Schulz in bf16: the update, its normalised copy and two products.
            case MUON ->
                    largest(parameters)
                            .forEach(
                                    p -> {
                                        for (int i = 0; i < 4; i++) {
                                            made.add(temporary("orthogonalisation", p, 2));
                                        }
                                    });
            default -> {}
        }
        made.forEach(Storage::release);
    }

    private static List<Local> largest(List<Local> parameters) {
        return parameters.stream()
                .max(java.util.Comparator.comparingLong(Local::elements))
                .map(List::of)
                .orElse(List.of());
    }

    private Storage temporary(String name, Local p, int width) {
        return memory.allocate(
                "optimizer step: " + name, Part.TEMPORARY, p.rows(), p.columns(), width);
    }
}
