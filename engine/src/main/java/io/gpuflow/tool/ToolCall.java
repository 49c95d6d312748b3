package io.gpuflow.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A command to run, without a shell.
 *
 * @param argv program and arguments
 * @param env variables set on top of gpuflow's own environment; a null value removes one
 * @param folder working folder, or null for the caller's
 * @param limit time after which the process and all its descendants are ended
 * @param keeps globs below the folder ({@code *.json}, {@code traces/*}) naming the files that the
 *     command writes and the caller reads back; a recording holds them and puts them back on replay
 */
public record ToolCall(
        List<String> argv,
        Map<String, String> env,
        Path folder,
        Duration limit,
        List<String> keeps) {

    public ToolCall {
        argv = List.copyOf(argv);
        env = Collections.unmodifiableMap(new TreeMap<>(env));
        keeps = List.copyOf(keeps);
        Objects.requireNonNull(limit, "a command needs a time limit");
    }

    public ToolCall(List<String> argv, Map<String, String> env, Path folder, Duration limit) {
        this(argv, env, folder, limit, List.of());
    }

    /**
     * A question to the machine, asked in the C locale: what parsers read must not be translated.
     */
    public static ToolCall of(Duration limit, String... argv) {
        return new ToolCall(List.of(argv), Map.of("LC_ALL", "C"), null, limit);
    }
}
