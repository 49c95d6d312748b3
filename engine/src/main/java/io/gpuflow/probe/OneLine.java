package io.gpuflow.probe;

import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.Tools;

/** Files of /proc and /sys that hold one value. */
final class OneLine {
    private OneLine() {}

    /** The value, or null when the file is empty or can't be read. */
    static String of(Tools tools, String path) {
        FileResult file = tools.read(path);
        return file.ok() && !file.text().isBlank() ? file.text().strip() : null;
    }

    /** A NUMA node; −1 is how the kernel says that the firmware does not tell. */
    static Integer numaNode(Tools tools, String path) {
        String text = of(tools, path);
        return text != null && text.matches("\\d{1,4}") ? Integer.valueOf(text) : null;
    }
}
