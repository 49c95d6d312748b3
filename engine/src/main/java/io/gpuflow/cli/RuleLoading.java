package io.gpuflow.cli;

import io.gpuflow.flow.Workflow;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Loads the rules while the first tools run, when the workflow will ask for them. */
final class RuleLoading implements Supplier<RuleBook> {
    private final FutureTask<RuleBook> loading;

    /**
     * @param policy the rules in force
     */
    RuleLoading(Workflow workflow, Supplier<Policy> policy) {
        loading = new FutureTask<>(() -> ShippedRules.soon(policy));
        if (workflow.steps().stream().anyMatch(step -> !step.check().isEmpty())) {
            Thread thread = new Thread(loading, "gpuflow-rules");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public RuleBook get() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    loading.run(); // does nothing when it runs or ran already
                    return loading.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the rules can't be loaded: " + e.getCause(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
