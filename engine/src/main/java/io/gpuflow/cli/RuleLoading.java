package io.gpuflow.cli;

import io.gpuflow.flow.Workflow;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.util.function.Supplier;

/** Loads the rules while the first tools run, when the workflow will ask for them. */
final class RuleLoading implements Supplier<RuleBook> {
    private final Supplier<Policy> policy;
    private RuleBook rules;

    /**
     * @param policy the rules in force
     */
    RuleLoading(Workflow workflow, Supplier<Policy> policy) {
        this.policy = policy;
        if (workflow.steps().stream().anyMatch(step -> !step.check().isEmpty())) {
            get();
        }
    }

    @Override
    public synchronized RuleBook get() {
        if (rules == null) {
            rules = ShippedRules.soon(policy);
        }
        return rules;
    }
}
