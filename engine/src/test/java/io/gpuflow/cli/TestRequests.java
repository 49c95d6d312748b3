package io.gpuflow.cli;

import io.gpuflow.advise.Attention;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.TrainingMachine;
import java.util.List;
import java.util.Map;

/** Requests and machines of one line. */
final class TestRequests {
    private TestRequests() {}

    static Request of(ModelShape model, int gpus) {
        return new Request(
                model,
                gpus,
                gpus,
                150_000_000_000L,
                null,
                null,
                2048,
                null,
                Precision.MIXED,
                Optimizer.ADAMW,
                null,
                Attention.SDPA);
    }

    static TrainingMachine machine(String gpu, int gpus) {
        TrainingMachine plain = TrainingMachine.unasked(1, gpus, null);
        return new TrainingMachine(
                1,
                plain.gpus(),
                gpu,
                null,
                plain.joined(),
                List.of(),
                null,
                Map.of(),
                null,
                List.of());
    }
}
