package io.gpuflow.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What /proc/self/mountinfo says about where a file lies. */
final class Mounts {
    private Mounts() {}

    /** The mount point that a file lies on, when it is mounted noexec; else null. */
    static String noexec(Path file) {
        String best = null;
        boolean noexec = false;
        try {
            Path real = file.toRealPath();
            String table =
                    Files.readString(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1);
            for (String line : table.split("\n")) {
                // id, parent, device, root, mount point, options …
                String[] fields = line.split(" ");
                if (fields.length < 6) {
                    continue;
                }
                String point = fields[4].replace("\\040", " ");
                // The last of several mounts at one point is the one in force.
                if (real.startsWith(point) && (best == null || point.length() >= best.length())) {
                    best = point;
                    noexec = Arrays.asList(fields[5].split(",")).contains("noexec");
                }
            }
        } catch (IOException e) {
            return null;
        }
        return noexec ? best : null;
    }
}
