package io.gpuflow.parse;

import java.util.List;

/** The product name of the GPUs, where a text names it beside what else it says. */
final class GpuModel {
    private GpuModel() {}

    /** From a line of nvidia-smi -L ("GPU 0: NVIDIA H200 (UUID: …)"), or null. */
    static String in(List<String> lines) {
        for (String line : lines) {
            int at = line.indexOf("GPU ");
            int colon = line.indexOf(": ", at + 1);
            int uuid = line.indexOf(" (UUID:", at + 1);
            if (at >= 0 && colon > at && colon < at + 8 && uuid > colon) {
                return line.substring(colon + 2, uuid).strip();
            }
        }
        return null;
    }
}
