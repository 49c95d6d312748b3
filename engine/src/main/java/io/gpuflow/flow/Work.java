package io.gpuflow.flow;

import io.gpuflow.expr.Template;
import java.util.List;
import java.util.Map;

/** What a step does: a built-in action, a command, or a shell script. */
public sealed interface Work {

    /**
     * A built-in action.
     *
     * @param with its inputs: plain values, lists and maps with a {@link Template} for each text;
     *     {@link Template#fill} gives the values
     */
    record Uses(String action, Map<String, Object> with) implements Work {}

    /**
     * A program with its arguments, without a shell.
     *
     * @param reading how its output becomes facts and outputs
     */
    record Cmd(List<Template> argv, Reading reading) implements Work {}

    /**
     * A script for /bin/sh. It sees values only through variables, so that none can become code.
     */
    record Sh(String script, Reading reading) implements Work {}

    /**
     * What to make of a command's output.
     *
     * @param parse a parser's kind, or null
     * @param extract or null
     */
    record Reading(String parse, Extract extract) {}
}
