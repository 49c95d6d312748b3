package io.gpuflow.flow;

import io.gpuflow.parse.Parser;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.tool.Tools;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a run works with.
 *
 * @param inputs value of each input of the workflow, plain
 * @param machine the machine or a recording
 * @param recording folder of the recording that answers, absolute; null on a real machine
 * @param actions the built-in action of a name
 * @param parsers the parser of a kind
 * @param rules asked for only when a step has something to check: loading them takes time
 * @param version of gpuflow
 * @param allowChange whether steps that change the machine may run
 * @param dryRun only read steps run; of the others it is told what they would do
 * @param secrets values never shown or written
 * @param events told of what happens, for the display
 */
public record RunSetup(
        Workflow workflow,
        Map<String, Object> inputs,
        Tools machine,
        Path recording,
        Function<String, Action> actions,
        Function<String, Parser<?>> parsers,
        Supplier<RuleBook> rules,
        String version,
        boolean allowChange,
        boolean dryRun,
        Secrets secrets,
        RunEvents events,
        InstantSource clock) {

    /** True when all answers come from a recording: nothing is waited for. */
    public boolean replay() {
        return recording != null;
    }
}
