package io.gpuflow.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A command to run, without a shell.
 *
 * @param argv program and arguments
 * @param env variables set on top of gpuflow's own environment; a null value removes one
 * @param folder working folder, or null for the caller's
 * @param limit time after which the process and all its descendants are ended
 */
public record ToolCall(List<String> argv, Map<String, String> env, Path folder, Duration limit) {
    public static ToolCall of(Duration limit, String... argv) {
        return new ToolCall(List.of(argv), Map.of(), null, limit);
    }
}
