package io.gpuflow.baseline;

import java.nio.file.Path;
import java.util.Map;

/** Where gpuflow keeps what outlives a run: gpuflow in XDG_DATA_HOME, else in ~/.local/share. */
public final class DataFolder {
    private DataFolder() {}

    public static Path of(Map<String, String> env) {
        String data = env.getOrDefault("XDG_DATA_HOME", "");
        Path base =
                !data.isEmpty() && Path.of(data).isAbsolute()
                        ? Path.of(data)
                        : Path.of(env.getOrDefault("HOME", System.getProperty("user.home")))
                                .resolve(".local/share");
        return base.resolve("gpuflow");
    }
}
