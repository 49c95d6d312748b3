package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import io.gpuflow.tool.OutputLines;
import io.gpuflow.tool.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What {@code uses: NAME} does. Built-in steps, {@code cmd:} and {@code sh:} are all actions. */
public interface Action {
    Outcome run(Context context) throws InterruptedException;

    /**
     * What an action may use.
     *
     * @param step id of the step it runs for
     * @param tools the machine; the only way to run or read anything
     * @param with the step's {@code with:} after substitution
     * @param env the step's environment on top of the caller's, the experiment's change included
     * @param facts everything known so far, this step's dependencies included
     * @param folder an empty folder for what this attempt writes
     * @param limit time the whole step may take
     * @param lines told of progress, for the live line
     */
    record Context(
            String step,
            Tools tools,
            Map<String, Object> with,
            Map<String, String> env,
            List<Observed> facts,
            Path folder,
            Duration limit,
            OutputLines lines) {}

    /**
     * What came of it.
     *
     * @param state PASSED, FAILED, BROKEN or UNKNOWN; the rules may worsen it afterwards
     * @param reason one line, with the values
     * @param facts what it brought
     * @param out named outputs for {@code steps.ID.out}
     */
    record Outcome(State state, String reason, List<Observed> facts, Map<String, Object> out) {}
}
